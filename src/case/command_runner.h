// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/reader.h"
#include <map>

// Runs the lists of drawing commands: loops, conditions and variables end here; what is left is plain data.

namespace sluice {

class CommandRunner {
public:
    CommandRunner(CaseReader& reader, const XmlElement& commands);
    void run();

private:
    /// What statesave keeps.
    struct State {
        SetMk mk;
        bool mk_chosen = false;
        bool next_automatically = false;
        SetDrawMode mode;
        SetActive active;
        SetNormalInvert normals;
        SetShapeMode shapes;
        SetFreeDraw free;
        SetBoxLimit limit;
        Transform matrix;
    };
    using Handler = void (CommandRunner::*)(const XmlElement&);
    static const std::map<std::string, Handler>& handlers();

    void run_list(const XmlElement& list);
    void warn_of_lists_not_named(const XmlElement& main);
    void command(const XmlElement& e);
    void draw(const XmlElement& e, const char* element);
    /// setmknextauto: how many mk the action takes, 0 for void.
    int mk_used_by(GeometryAction& action) const;
    void emit(const XmlElement& e, GeometryAction action);
    void emit_state(const XmlElement& e);
    bool condition_holds(const XmlElement& e);

    /// Saves in a loop must not fill the memory.
    template <class T>
    static void push(const XmlElement& e, std::vector<T>& stack, const T& value) {
        if (stack.size() >= 1000) e.fail("<" + e.name() + ">: more than 1000 states are saved and not loaded");
        stack.push_back(value);
    }

    // state
    void set_mk(const XmlElement& e);
    void set_mk_next(const XmlElement& e);
    void save_mk(const XmlElement& e) { push(e, saved_mk_, state_.mk); }
    void load_mk(const XmlElement& e);
    void set_draw_mode(const XmlElement& e);
    void set_active(const XmlElement& e);
    void set_normal_invert(const XmlElement& e);
    void set_shape_mode(const XmlElement& e);
    void shape_out(const XmlElement& e);
    void set_free_draw(const XmlElement& e);
    void set_box_limit(const XmlElement& e);
    void set_pattern(const XmlElement& e);
    void set_thickness(const XmlElement& e);
    void reset_draw(const XmlElement& e);
    void save_state(const XmlElement& e) { push(e, saved_states_, state_); }
    void load_state(const XmlElement& e);

    // transformation
    void multiply(const XmlElement& e, const Transform& t);
    void move(const XmlElement& e);
    void scale(const XmlElement& e);
    void rotate(const XmlElement& e);
    void rotate_line(const XmlElement& e);
    void rotate_advanced(const XmlElement& e);
    void reset_matrix(const XmlElement& e);
    void save_matrix(const XmlElement& e) { push(e, saved_matrices_, state_.matrix); }
    void load_matrix(const XmlElement& e);

    // clipping
    void clip_plane(const XmlElement& e);
    void clip_box(const XmlElement& e);
    void clip_domain(const XmlElement& e);
    void clip_reset(const XmlElement& e) { emit(e, ClipReset{}); }

    // lines drawn step by step
    void set_line_begin(const XmlElement& e) { line_begin_ = e.vector(); }
    void draw_line_to(const XmlElement& e);

    // variables and control
    void new_variables(const XmlElement& e);
    void new_texts(const XmlElement& e);
    void delete_variables(const XmlElement& e);
    void save_variables(const XmlElement& e) { push(e, saved_variables_, reader_.variables); }
    void load_variables(const XmlElement& e);
    void print(const XmlElement& e);
    void abort(const XmlElement& e);
    void run_named_list(const XmlElement& e);

    CaseReader& reader_;
    const XmlElement& commands_;
    std::map<std::string, XmlElement> lists_;
    State state_;
    std::vector<State> saved_states_;
    std::vector<SetMk> saved_mk_;
    std::vector<Transform> saved_matrices_;
    std::vector<Variables> saved_variables_;
    std::optional<Vec3d> line_begin_;
    int depth_ = 0;
    std::size_t executed_ = 0;
};

/// newvar, newvarcte, setvar: every attribute is a variable, its value an expression.
void define_variables(CaseReader& reader, const XmlElement& e, bool constant);

} // namespace sluice
