// SPDX-License-Identifier: Apache-2.0
// The player of the report: particles as WebGL points, nothing else needed. Data: see report_player.cpp.
"use strict";
(function () {
  const element = (id) => document.getElementById(id);
  const data = JSON.parse(element("player-data").textContent);
  const canvas = element("view");
  const gl = canvas.getContext("webgl", { antialias: true, preserveDrawingBuffer: true });
  if (!gl) {
    element("player").innerHTML = '<p class="failed">This browser offers no WebGL, so the frames cannot be shown here. ' +
      "Open fluid.vtkhdf in ParaView instead.</p>";
    return;
  }

  const bytesOf = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const [low, high] = data.box;
  const extent = [0, 1, 2].map((k) => high[k] - low[k]);
  const middle = [0, 1, 2].map((k) => (data.view[0][k] + data.view[1][k]) / 2);
  const reach = 0.5 * Math.hypot(...[0, 1, 2].map((k) => data.view[1][k] - data.view[0][k])) || 1;

  // --- programs ---------------------------------------------------------------------------------------------------

  // All that lives on the GPU is made by this, once more when a browser has taken the context away and gives it back.
  let program = null, buffers = null;
  const at = (name) => gl.getUniformLocation(program, name);

  const vertexSource = `
    attribute vec3 place;
    attribute float value;
    uniform vec3 low, extent, middle;
    uniform mat4 view;
    uniform mediump float flatCase;
    uniform float diameter, pixels;
    varying float shade;
    void main() {
      vec3 part = flatCase > 0.5 ? vec3(place.x, 0.0, place.y) : place;
      gl_Position = view * vec4(low + part * extent - middle, 1.0);
      float size = diameter * pixels / gl_Position.w;
      // where dots are too small to be told apart: without gaps between four of them, which would show as a pattern
      gl_PointSize = flatCase > 0.5 && size < 8.0 ? 1.1 * size + 1.5 : max(size, 1.5);
      shade = value;
    }`;
  const fragmentSource = `
    precision mediump float;
    uniform sampler2D colours;
    uniform vec4 plain;
    uniform mediump float lit, thin;
    varying float shade;
    void main() {
      vec2 at = thin > 0.5 ? vec2(0.0) : 2.0 * gl_PointCoord - 1.0; // a line has no such coordinates
      float r2 = dot(at, at);
      if (r2 > 1.0) discard;
      vec3 colour = plain.rgb;
      if (plain.a == 0.0) colour = texture2D(colours, vec2(shade * (255.0 / 256.0) + 0.5 / 256.0, 0.5)).rgb;
      if (lit > 0.5) colour *= 0.62 + 0.38 * max(0.0, dot(vec3(at.x, -at.y, sqrt(1.0 - r2)), vec3(-0.40, 0.55, 0.73)));
      float alpha = plain.a == 0.0 ? 1.0 : plain.a;
      gl_FragColor = vec4(colour * alpha, alpha);
    }`;

  function compiled(type, source) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    return shader;
  }
  function makeProgram() {
    program = gl.createProgram();
    gl.attachShader(program, compiled(gl.VERTEX_SHADER, vertexSource));
    gl.attachShader(program, compiled(gl.FRAGMENT_SHADER, fragmentSource));
    gl.bindAttribLocation(program, 0, "place");
    gl.bindAttribLocation(program, 1, "value");
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
    gl.useProgram(program);
    gl.uniform3fv(at("low"), low);
    gl.uniform3fv(at("extent"), extent);
    gl.uniform3fv(at("middle"), middle);
    gl.uniform1f(at("flatCase"), data.flat ? 1 : 0);
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
    for (const name of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, name, gl.CLAMP_TO_EDGE);
  }
  const colours = bytesOf(data.colours);

  // --- data on the GPU --------------------------------------------------------------------------------------------

  const coordinates = data.flat ? 2 : 3;
  function fill(buffer, bytes) {
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, bytes, gl.DYNAMIC_DRAW);
  }
  function makeBuffers() {
    buffers = {};
    for (const name of ["boundary", "solids", "place", "value", "wall", "solidWall", "links"]) buffers[name] = gl.createBuffer();
    fill(buffers.boundary, bytesOf(data.boundary));
    state.loaded = [-1, -1];
  }

  // --- state ------------------------------------------------------------------------------------------------------

  // What lies in a plane is seen from the side, always, and not turned out of it.
  const views = data.flat
    ? { home: [0, 0], front: [0, 0], top: [0, 0] }
    : { home: [0.55, 0.38], front: [0, 0], top: [0, Math.PI / 2 - 1e-3] };
  const state = { view: "home", frame: 0, field: 0, yaw: views.home[0], pitch: views.home[1], distance: 1, pan: [0, 0], playing: false,
    pace: 15, range: { low: 0, high: 1 }, rangeFrom: "run", boundary: 0.5, loaded: [-1, -1], count: 0 };
  const ofWalls = () => data.fields[state.field].of_walls;

  function load() {
    const frame = data.frames[state.frame];
    if (state.loaded[0] !== state.frame) {
      const bytes = bytesOf(frame.position);
      state.count = bytes.length / (2 * coordinates);
      fill(buffers.place, bytes);
      fill(buffers.solids, bytesOf(frame.solids || "")); // walls and bodies that move
      fill(buffers.links, bytesOf(frame.links || ""));
    }
    if (state.loaded[0] !== state.frame || state.loaded[1] !== state.field) {
      if (!ofWalls()) fill(buffers.value, bytesOf(frame.fields[state.field]));
      else { fill(buffers.wall, bytesOf(frame.wall)); fill(buffers.solidWall, bytesOf(frame.solid_wall)); }
    }
    state.loaded = [state.frame, state.field];
  }

  // --- drawing ----------------------------------------------------------------------------------------------------

  const lens = 1 / Math.tan(0.5 * 35 * Math.PI / 180);

  /// Looks at the middle from yaw (about z) and pitch, at such a distance that all of it is in sight. Column major.
  function viewMatrix(aspect) {
    const { right, up, toward } = axes(state.yaw, state.pitch);
    const away = fittingDistance(aspect) * state.distance;
    const near = Math.max(away - 3 * reach, away * 0.01), far = away + 6 * reach;
    const scaleZ = (far + near) / (near - far), shiftZ = 2 * far * near / (near - far);
    const m = new Float32Array(16);
    for (let k = 0; k < 3; ++k) {
      m[4 * k] = lens / aspect * right[k];
      m[4 * k + 1] = lens * up[k];
      m[4 * k + 2] = scaleZ * toward[k];
      m[4 * k + 3] = -toward[k];
    }
    m[12] = lens / aspect * state.pan[0];
    m[13] = lens * state.pan[1];
    m[14] = scaleZ * -away + shiftZ;
    m[15] = away;
    return m;
  }
  function axes(yaw, pitch) {
    const cy = Math.cos(yaw), sy = Math.sin(yaw), cp = Math.cos(pitch), sp = Math.sin(pitch);
    return { right: [cy, sy, 0], up: [-sy * sp, cy * sp, cp], toward: [sy * cp, -cy * cp, sp] };
  }
  /// From here all corners are just in sight, looking as the last chosen view does; turning by hand keeps it.
  function fittingDistance(aspect) {
    const { right, up, toward } = axes(...views[state.view]);
    const along = (axis, p) => axis[0] * p[0] + axis[1] * p[1] + axis[2] * p[2];
    const filled = 0.93;
    let away = 0.1 * reach;
    for (let corner = 0; corner < 8; ++corner) {
      const p = [0, 1, 2].map((k) => data.view[corner >> k & 1][k] - middle[k]);
      const needed = lens / filled * Math.max(Math.abs(along(right, p)) / aspect, Math.abs(along(up, p)));
      away = Math.max(away, along(toward, p) + needed);
    }
    return away;
  }

  /// Points from one buffer, in the colours of their values or, without those, in the plain one; or a line through them.
  function points(places, values, first, count, mode = gl.POINTS) {
    gl.bindBuffer(gl.ARRAY_BUFFER, places);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, coordinates, gl.UNSIGNED_SHORT, true, 0, 0);
    if (values) {
      gl.bindBuffer(gl.ARRAY_BUFFER, values);
      gl.enableVertexAttribArray(1);
      gl.vertexAttribPointer(1, 1, gl.UNSIGNED_BYTE, true, 0, 0);
    } else gl.disableVertexAttribArray(1);
    gl.drawArrays(mode, first, count);
  }
  function paintAs(rgb, alpha, lit) {
    gl.uniform4f(at("plain"), rgb[0], rgb[1], rgb[2], alpha);
    gl.uniform1f(at("lit"), lit ? 1 : 0);
  }

  // --- walls ------------------------------------------------------------------------------------------------------

  // Of a range of boundary particles, which faces of the tank it is a wall on: bits 0 to 5, below and above in x, y and z;
  // 64: a hull around the fluid; 0: a body that stands in it.
  const hull = 64, bodyColour = [0.66, 0.58, 0.48], wallColour = [0.85, 0.86, 0.88], mistColour = [0.36, 0.38, 0.42];
  const faceOn = 0.02, wallOverlap = 1.35; // so that walls have no holes
  /// Outwards from face 0 to 5, along the view's axis.
  const outward = (face, axis) => (face & 1 ? 1 : -1) * axis[face >> 1];
  /// Whether a wall stands between the eye and the inside of the tank.
  const isBefore = (side, view) => side === hull ||
    [0, 1, 2, 3, 4, 5].some((face) => side >> face & 1 && outward(face, view.toward) > faceOn);
  /// The even light of a wall, as pictures have it.
  function lightOf(side, view) {
    const face = [0, 1, 2, 3, 4, 5].find((f) => side >> f & 1);
    const [x, y, z] = [view.right, view.up, view.toward].map((axis) => outward(face, axis));
    const turn = z < 0 ? -1 : 1;
    return 0.8 + 0.2 * turn * (-0.40 * x + 0.55 * y + 0.73 * z);
  }
  /// Calls use(places, values, first, count, side) for all that is shown of the boundary.
  function eachWall(use) {
    const sets = [[data.boundary_ranges, buffers.boundary, buffers.wall, data.boundary_stride],
      [data.solid_ranges, buffers.solids, buffers.solidWall, data.solid_stride]];
    for (const [ranges, places, values, stride] of sets) {
      gl.uniform1f(at("diameter"), diameter(stride) * (data.flat ? 1 : wallOverlap));
      for (const [side, first, count] of ranges) use(places, ofWalls() ? values : null, first, count, side);
    }
  }
  /// Bodies, and the walls that one looks at from inside. Their slider makes them fainter, down from its middle.
  function drawSolidWalls() {
    const view = axes(state.yaw, state.pitch), alpha = ofWalls() ? 1 : Math.min(1, 2 * state.boundary);
    if (alpha === 0) return;
    eachWall((places, values, first, count, side) => {
      if (!data.flat && isBefore(side, view) && !(values && side === hull)) return;
      if (values) paintAs([0, 0, 0], 0, !data.flat && side === 0);
      else if (data.flat) paintAs(mistColour, alpha, false);
      else if (side === 0) paintAs(bodyColour, alpha, true);
      else paintAs(wallColour.map((c) => c * lightOf(side, view)), alpha, false);
      points(places, values, first, count);
    });
  }
  /// What stands before the fluid, as mist: a hull always, walls up from the middle of their slider.
  function drawMist() {
    const view = axes(state.yaw, state.pitch);
    eachWall((places, values, first, count, side) => {
      const alpha = 0.16 * (side === hull ? (values ? 0 : state.boundary) : Math.max(0, 2 * state.boundary - 1));
      if (!isBefore(side, view) || alpha === 0) return;
      paintAs(mistColour, alpha, false);
      points(places, null, first, count);
    });
  }

  // --- mooring lines and joints -----------------------------------------------------------------------------------

  const lineColour = [0.85, 0.1, 0.3], jointColour = [0.9, 0.45, 0]; // seen on a dark page, too
  /// Lines through their points, and dots at both ends.
  function drawLinks() {
    gl.uniform1f(at("diameter"), 1.5 * data.dp);
    for (const [first, count, isJoint] of data.frames[state.frame].link_ranges || []) {
      paintAs(isJoint ? jointColour : lineColour, 1, false);
      gl.uniform1f(at("thin"), 1);
      points(buffers.links, null, first, count, gl.LINE_STRIP);
      gl.uniform1f(at("thin"), 0);
      for (const end of [first, first + count - 1]) points(buffers.links, null, end, 1);
    }
  }

  // --- colours ----------------------------------------------------------------------------------------------------

  /// The texture has a colour for each of the levels that the bytes of a field stand for.
  function colourLevels() {
    const { low, high } = state.range, levels = data.fields[state.field].levels;
    const texture = new Uint8Array(3 * 256);
    const none = [160, 166, 174]; // of a particle without a value, as a wall that no fluid reaches
    levels.forEach((value, k) => {
      if (value === null) { texture.set(none, 3 * k); return; }
      const part = Math.max(0, Math.min(1, (value - low) / (high - low)));
      const from = 3 * Math.round(255 * (high > low ? part : 0));
      for (let c = 0; c < 3; ++c) texture[3 * k + c] = colours[from + c];
    });
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGB, 256, 1, 0, gl.RGB, gl.UNSIGNED_BYTE, texture);
  }
  /// All values of the frame but the outermost ones.
  function rangeOfFrame() {
    const { levels, tails, name } = data.fields[state.field], frame = data.frames[state.frame];
    const count = new Array(256).fill(0);
    let all = 0;
    for (const text of ofWalls() ? [frame.wall, frame.solid_wall] : [frame.fields[state.field]])
      for (const byte of bytesOf(text)) if (byte > 0) { ++count[byte]; ++all; }
    const at = (share) => {
      let k = 1;
      for (let below = count[1]; k < 255 && below <= share * all; below += count[++k]);
      return levels[k];
    };
    const low = name === "speed" ? 0 : at(tails[0]), high = at(1 - tails[1]);
    return high > low ? { low, high } : { low, high: low + Math.max(1e-6, Math.abs(low) * 1e-3) };
  }
  function settleRange() {
    if (state.rangeFrom === "own") return;
    const field = data.fields[state.field];
    state.range = state.rangeFrom === "frame" ? rangeOfFrame() : { low: field.low, high: field.high };
    element("field-low").value = +state.range.low.toPrecision(4);
    element("field-high").value = +state.range.high.toPrecision(4);
    colourLevels();
  }
  function typeRange() {
    const low = parseFloat(element("field-low").value), high = parseFloat(element("field-high").value);
    if (!(low < high)) return;
    state.rangeFrom = element("field-range").value = "own";
    state.range = { low, high };
    colourLevels();
    redraw();
  }

  /// A thinned-out cloud gets larger dots, so that it still fills its volume.
  const diameter = (stride) => data.dp * (data.flat ? 1.3 : 1.2) * Math.pow(stride, data.flat ? 1 / 2 : 1 / 3);

  /// The page's colour behind the particles, which is dark where the reader's screen is.
  const stage = () => getComputedStyle(canvas).backgroundColor.match(/[\d.]+/g).slice(0, 3).map((c) => c / 255);

  function draw() {
    if (gl.isContextLost()) return;
    const density = Math.min(window.devicePixelRatio || 1, 2);
    const width = Math.max(1, Math.round(canvas.clientWidth * density));
    const height = Math.max(1, Math.round(canvas.clientHeight * density));
    if (canvas.width !== width || canvas.height !== height) { canvas.width = width; canvas.height = height; }
    load();
    if (state.rangeFrom === "frame") settleRange();
    gl.viewport(0, 0, width, height);
    gl.clearColor(...stage(), 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    const matrix = viewMatrix(width / height);
    gl.uniformMatrix4fv(at("view"), false, matrix);
    gl.uniform1f(at("pixels"), 0.5 * height * lens);

    gl.enable(gl.DEPTH_TEST);
    gl.disable(gl.BLEND);
    gl.depthMask(true);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.enable(gl.BLEND);
    drawSolidWalls();
    gl.uniform1f(at("diameter"), diameter(data.fluid_stride));
    const fluidColour = [0.83, 0.87, 0.90]; // of fluid that the colours do not speak of: in 3-D it would hide the walls
    paintAs(fluidColour, ofWalls() ? 1 : 0, !data.flat);
    if (data.flat || !ofWalls()) points(buffers.place, ofWalls() ? null : buffers.value, 0, state.count);
    if (!data.flat) {
      gl.depthMask(false);
      drawMist();
      gl.depthMask(true);
    }
    gl.disable(gl.DEPTH_TEST); // they are seen through all else, as in pictures
    drawLinks();
    drawAxes(matrix);
    element("clock").textContent = "t = " + data.frames[state.frame].time.toFixed(3) + " s";
    element("player").dataset.frame = state.frame;
    document.dispatchEvent(new CustomEvent("frame-shown", { detail: data.frames[state.frame].time }));
  }

  // --- axes and scale ---------------------------------------------------------------------------------------------

  const overlay = element("axes");
  /// 1, 2 or 5 times a power of ten, the first one not below `least`.
  function roundLength(least) {
    const power = Math.pow(10, Math.floor(Math.log10(least)));
    return power * [1, 2, 5, 10].find((k) => k * power >= least * (1 - 1e-9));
  }
  const lengthText = (metres, step) => metres.toFixed(Math.max(0, Math.ceil(-Math.log10(step) - 1e-9)));
  /// Where a point (m) is drawn, in pixels of the page from the upper left corner of the view.
  function onScreen(m, p) {
    const d = p.map((c, k) => c - middle[k]);
    const row = (r) => m[r] * d[0] + m[r + 4] * d[1] + m[r + 8] * d[2] + m[r + 12];
    const w = row(3);
    return [(row(0) / w + 1) / 2 * canvas.clientWidth, (1 - row(1) / w) / 2 * canvas.clientHeight];
  }
  const line = (x0, y0, x1, y1) => `<path d="M${x0.toFixed(1)} ${y0.toFixed(1)}L${x1.toFixed(1)} ${y1.toFixed(1)}"/>`;
  const label = (x, y, text, anchor) => `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}">${text}</text>`;

  /// In a plane: coordinates along the lower and the left edge. In space: the directions, and a length at the distance of
  /// the middle.
  function drawAxes(m) {
    const width = canvas.clientWidth, height = canvas.clientHeight, origin = onScreen(m, middle);
    const { right } = axes(state.yaw, state.pitch);
    const pixels = Math.hypot(...onScreen(m, middle.map((c, k) => c + right[k])).map((v, k) => v - origin[k])); // a metre
    overlay.setAttribute("viewBox", `0 0 ${width} ${height}`);
    let svg = "";
    if (data.flat) {
      const step = roundLength(90 / pixels);
      const from = (pixel, centre) => Math.ceil((centre + pixel / pixels) / step - 1e-9);
      for (let k = from(-origin[0] + 40, middle[0]); ; ++k) {
        const x = origin[0] + (k * step - middle[0]) * pixels;
        if (x > width - 30) break;
        svg += line(x, height, x, height - 6) + label(x, height - 10, lengthText(k * step, step), "middle");
      }
      for (let k = from(origin[1] - height + 26, middle[2]); ; ++k) {
        const y = origin[1] - (k * step - middle[2]) * pixels;
        if (y < 12) break;
        svg += line(0, y, 6, y) + label(10, y + 4, lengthText(k * step, step), "start");
      }
      svg += label(width - 6, height - 10, "x (m)", "end") + label(10, 12, "z (m)", "start");
    } else {
      const view = axes(state.yaw, state.pitch), centre = [46, height - 46];
      ["x", "y", "z"].forEach((name, k) => {
        const tip = [centre[0] + 30 * view.right[k], centre[1] - 30 * view.up[k]];
        svg += line(...centre, ...tip);
        svg += label(centre[0] + 40 * view.right[k], centre[1] - 40 * view.up[k] + 4, name, "middle");
      });
      const length = roundLength(70 / pixels), end = width - 16, y = height - 16;
      svg += line(end - length * pixels, y, end, y) + line(end - length * pixels, y - 4, end - length * pixels, y + 4) + line(end, y - 4, end, y + 4);
      svg += label(end - length * pixels / 2, y - 8, lengthText(length, length) + " m", "middle");
    }
    overlay.innerHTML = svg;
  }

  let wanted = false;
  function redraw() {
    if (wanted) return;
    wanted = true;
    requestAnimationFrame(() => { wanted = false; draw(); });
  }

  // --- controls ---------------------------------------------------------------------------------------------------

  function show(frame) {
    state.frame = Math.max(0, Math.min(data.frames.length - 1, frame));
    element("scrub").value = state.frame;
    redraw();
  }
  function chooseField(k) {
    state.field = k;
    const field = data.fields[k];
    element("field-name").textContent = field.name + (field.unit ? " (" + field.unit + ")" : "");
    if (state.rangeFrom === "own") state.rangeFrom = element("field-range").value = "run";
    settleRange();
    redraw();
  }
  const stops = [];
  for (let k = 0; k <= 16; ++k) {
    const i = 3 * Math.min(255, 16 * k);
    stops.push("rgb(" + colours[i] + "," + colours[i + 1] + "," + colours[i + 2] + ")");
  }
  element("field-bar").style.background = "linear-gradient(to right," + stops.join(",") + ")";

  let last = 0, carried = 0;
  function tick(now) {
    if (!state.playing) return;
    carried += Math.min(now - last, 250) / 1000 * state.pace;
    last = now;
    const steps = Math.floor(carried);
    carried -= steps;
    if (steps > 0) show((state.frame + steps) % data.frames.length);
    requestAnimationFrame(tick);
  }
  function play(on) {
    state.playing = on;
    element("play").textContent = on ? "Pause" : "Play";
    if (on) { last = performance.now(); carried = 0; requestAnimationFrame(tick); }
  }
  function look(name) {
    state.view = name;
    [state.yaw, state.pitch] = views[name];
    state.distance = 1;
    state.pan = [0, 0];
    redraw();
  }

  element("field").replaceChildren(...data.fields.map((field, k) => new Option(field.name, k)));
  element("scrub").max = data.frames.length - 1;
  element("scrub").addEventListener("input", (event) => { play(false); show(+event.target.value); });
  element("play").addEventListener("click", () => play(!state.playing));
  element("field").addEventListener("change", (event) => chooseField(+event.target.value));
  element("field-range").addEventListener("change", (event) => { state.rangeFrom = event.target.value; settleRange(); redraw(); });
  for (const name of ["field-low", "field-high"]) element(name).addEventListener("change", typeRange);
  if (data.flat) {
    for (const name of ["look-front", "look-top"]) element(name).hidden = true;
    element("drag-note").textContent = "Drag to move";
  }
  element("pace").addEventListener("change", (event) => { state.pace = +event.target.value; });
  element("walls").addEventListener("input", (event) => { state.boundary = +event.target.value; redraw(); });
  for (const name of ["home", "front", "top"]) element("look-" + name).addEventListener("click", () => look(name));

  const touches = new Map();
  canvas.addEventListener("pointerdown", (event) => {
    touches.set(event.pointerId, [event.clientX, event.clientY]);
    if (event.isTrusted) canvas.setPointerCapture(event.pointerId);
  });
  for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, (event) => touches.delete(event.pointerId));
  canvas.addEventListener("pointermove", (event) => {
    const before = touches.get(event.pointerId);
    if (!before) return;
    const dx = event.clientX - before[0], dy = event.clientY - before[1];
    const other = [...touches].find(([id]) => id !== event.pointerId);
    touches.set(event.pointerId, [event.clientX, event.clientY]);
    if (other) { // two fingers: their distance zooms
      const span = (p) => Math.max(10, Math.hypot(p[0] - other[1][0], p[1] - other[1][1]));
      zoom(span(before) / span([event.clientX, event.clientY]));
    } else if (data.flat || event.shiftKey || event.buttons === 2 || event.buttons === 4) {
      const metres = 2 * reach * state.distance / Math.max(canvas.clientHeight, 1);
      state.pan[0] += dx * metres;
      state.pan[1] -= dy * metres;
    } else {
      state.yaw -= dx * 0.008;
      state.pitch = Math.max(-1.57, Math.min(1.57, state.pitch + dy * 0.008));
    }
    redraw();
  });
  function zoom(factor) {
    state.distance = Math.max(0.02, Math.min(20, state.distance * factor));
    redraw();
  }
  canvas.addEventListener("wheel", (event) => { event.preventDefault(); zoom(Math.exp(event.deltaY * 0.001)); }, { passive: false });
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener("keydown", (event) => {
    const moves = { ArrowLeft: -1, ArrowRight: 1, Home: -1e9, End: 1e9 };
    if (event.key === " ") play(!state.playing);
    else if (event.key in moves) { play(false); show(state.frame + moves[event.key]); }
    else return;
    event.preventDefault();
  });
  window.addEventListener("resize", redraw);
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  // plots tell at which time somebody has clicked on them
  document.addEventListener("time-chosen", (event) => {
    play(false);
    show(nearest(event.detail));
  });

  canvas.addEventListener("webglcontextlost", (event) => {
    event.preventDefault(); // or it never comes back
    play(false);
    element("view-lost").hidden = false;
  });
  canvas.addEventListener("webglcontextrestored", () => {
    makeProgram();
    makeBuffers();
    colourLevels();
    element("view-lost").hidden = true;
    redraw();
  });

  // A page that is renewed while its run goes on (watch.js) comes back to what it showed; at the newest frame it stays
  // at the newest one.
  const nearest = (time) => {
    const apart = data.frames.map((frame) => Math.abs(frame.time - time));
    return apart.indexOf(Math.min(...apart));
  };
  const live = "live" in document.body.dataset, newest = data.frames.length - 1;
  const remembered = ["view", "yaw", "pitch", "distance", "pan", "pace", "boundary", "rangeFrom", "range"];
  document.addEventListener("page-leaves", () => {
    const kept = { field: data.fields[state.field].name, playing: state.playing,
      time: state.frame === newest ? null : data.frames[state.frame].time };
    for (const name of remembered) kept[name] = state[name];
    sessionStorage.setItem("sluice-player", JSON.stringify(kept));
  });
  const kept = live ? JSON.parse(sessionStorage.getItem("sluice-player") || "null") : null;

  makeProgram();
  makeBuffers();
  if (kept) for (const name of remembered) state[name] = kept[name];
  const field = kept ? Math.max(0, data.fields.findIndex((f) => f.name === kept.field)) : 0;
  const { rangeFrom, range } = state;
  chooseField(field);
  if (kept) {
    state.rangeFrom = element("field-range").value = rangeFrom;
    if (rangeFrom === "own") {
      state.range = range;
      element("field-low").value = range.low;
      element("field-high").value = range.high;
      colourLevels();
    } else settleRange();
    element("field").value = field;
    element("pace").value = state.pace;
    element("walls").value = state.boundary;
  }
  show(!live ? 0 : kept && kept.time !== null ? nearest(kept.time) : newest);
  if (kept && kept.playing) play(true);
})();
