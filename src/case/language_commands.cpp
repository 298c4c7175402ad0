// SPDX-License-Identifier: Apache-2.0
#include "case/language.h"

namespace sluice {

std::span<const LanguageEntry> language_of_commands();

namespace {

using enum Support;

constexpr LanguageEntry table[] = {
    {Section::command, "setshapemode", ignored, "", "Which shapes shapeout writes; no effect on particles", ""},
    {Section::command, "shapeout", ignored, "", "Writes the shapes for a picture; no effect on particles", ""},
    {Section::command, "setdrawmode", honoured, "full", "Parts of closed shapes to draw: full, solid, face, wire", ""},
    {Section::command, "setmkfluid", honoured, "", "What follows is fluid of that mk", ""},
    {Section::command, "setmkbound", honoured, "", "What follows is boundary of that mk", ""},
    {Section::command, "setmkvoid", honoured, "", "What follows erases", ""},
    {Section::command, "drawbox", honoured, "", "Box from point, with size or to endpoint, m; boxfill: solid, all, or faces joined by |; ^ leaves a face out", ""},
};

} // namespace

std::span<const LanguageEntry> language_of_commands() { return table; }

} // namespace sluice
