// SPDX-License-Identifier: Apache-2.0
// The type stands in run/frame.h, because run/ (a lower layer than io/) makes frames. Include that; do not add here.
#pragma once
#include "run/frame.h"
