// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace sluice::test {

/// A small valid case, one part of which a test replaces. The parts keep their lines: the text of `constants`
/// begins on line 4, and so on, as the functions below say. The draw mode is full.
struct CaseText {
    std::string constants = R"(<gravity x="0" y="0" z="-9.81"/><coefh value="1.0"/>)";
    std::string mkconfig = R"(<mkconfig boundcount="240" fluidcount="9"/>)";
    std::string definition =
        R"(<definition dp="0.1"><pointmin x="-1" y="0" z="-1"/><pointmax x="2" y="0" z="2"/></definition>)";
    std::string commands = R"(<setmkfluid mk="0"/>
<drawbox><boxfill>solid</boxfill><point x="0" y="-1" z="0"/><size x="1" y="2" z="1"/></drawbox>)";
    std::string special;
    std::string parameters;
    std::string casedef;  ///< more elements of casedef
    std::string geometry; ///< more elements of geometry, before the definition

    static constexpr int constants_line = 4, mkconfig_line = 6, definition_line = 9, commands_line = 13;

    std::string text() const {
        return "<?xml version=\"1.0\"?>\n<case><casedef>\n<constantsdef>\n" + constants + "\n</constantsdef>\n" +
               mkconfig + "\n" + casedef + "<geometry>" + geometry + "\n\n" + definition +
               "\n<commands>\n<mainlist>\n<setdrawmode mode=\"full\"/>\n" + commands +
               "\n</mainlist></commands></geometry></casedef>\n<execution><special>" + special +
               "</special><parameters>\n" + parameters + "\n</parameters></execution></case>\n";
    }
};

/// A flume: water 0.7 m deep before a piston of mkbound 10, which moves as a part of `special` says.
inline CaseText flume() {
    CaseText text;
    text.definition =
        R"(<definition dp="0.1"><pointmin x="-1" y="0" z="-1"/><pointmax x="6" y="0" z="2"/></definition>)";
    text.commands = R"(<setmkbound mk="10"/>
<drawbox><boxfill>solid</boxfill><point x="-0.2" y="-1" z="0"/><size x="0.2" y="2" z="1"/></drawbox>
<setmkfluid mk="0"/><drawbox><boxfill>solid</boxfill><point x="0.1" y="-1" z="0"/><size x="4" y="2" z="0.7"/></drawbox>)";
    text.casedef = R"(<motion><objreal ref="10"><begin mov="1" start="0"/><mvnull id="1"/></objreal></motion>)";
    text.parameters = R"(<parameter key="TimeMax" value="10"/>
<simulationdomain><posmin x="-0.5" y="default" z="-0.2"/><posmax x="5" y="default" z="1.5"/></simulationdomain>)";
    return text;
}

} // namespace sluice::test
