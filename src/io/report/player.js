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
      gl_PointSize = max(diameter * pixels / gl_Position.w, 1.5);
      shade = value;
    }`;
  const fragmentSource = `
    precision mediump float;
    uniform sampler2D colours;
    uniform vec4 plain;
    uniform mediump float flatCase;
    varying float shade;
    void main() {
      vec2 at = 2.0 * gl_PointCoord - 1.0;
      float r2 = dot(at, at);
      if (r2 > 1.0) discard;
      if (plain.a > 0.0) { gl_FragColor = vec4(plain.rgb * plain.a, plain.a); return; }
      vec3 colour = texture2D(colours, vec2(shade * (255.0 / 256.0) + 0.5 / 256.0, 0.5)).rgb;
      float light = flatCase > 0.5 ? 1.0
        : 0.62 + 0.38 * max(0.0, dot(vec3(at.x, -at.y, sqrt(1.0 - r2)), vec3(-0.40, 0.55, 0.73)));
      gl_FragColor = vec4(colour * light, 1.0);
    }`;

  function compiled(type, source) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    return shader;
  }
  const program = gl.createProgram();
  gl.attachShader(program, compiled(gl.VERTEX_SHADER, vertexSource));
  gl.attachShader(program, compiled(gl.FRAGMENT_SHADER, fragmentSource));
  gl.bindAttribLocation(program, 0, "place");
  gl.bindAttribLocation(program, 1, "value");
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
  gl.useProgram(program);
  const at = (name) => gl.getUniformLocation(program, name);
  gl.uniform3fv(at("low"), low);
  gl.uniform3fv(at("extent"), extent);
  gl.uniform3fv(at("middle"), middle);
  gl.uniform1f(at("flatCase"), data.flat ? 1 : 0);

  const colours = bytesOf(data.colours);
  gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
  gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
  for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
  for (const name of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, name, gl.CLAMP_TO_EDGE);

  // --- data on the GPU --------------------------------------------------------------------------------------------

  const coordinates = data.flat ? 2 : 3;
  const buffers = { boundary: gl.createBuffer(), solids: gl.createBuffer(), place: gl.createBuffer(), value: gl.createBuffer() };
  function fill(buffer, bytes) {
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, bytes, gl.DYNAMIC_DRAW);
  }
  const boundaryBytes = bytesOf(data.boundary);
  const boundaryCount = boundaryBytes.length / (2 * coordinates);
  fill(buffers.boundary, boundaryBytes);

  // --- state ------------------------------------------------------------------------------------------------------

  // What lies in a plane is seen from the side, always, and not turned out of it.
  const views = data.flat
    ? { home: [0, 0], front: [0, 0], top: [0, 0] }
    : { home: [0.55, 0.38], front: [0, 0], top: [0, Math.PI / 2 - 1e-3] };
  const state = { view: "home", frame: 0, field: 0, yaw: views.home[0], pitch: views.home[1], distance: 1, pan: [0, 0], playing: false,
    pace: 15, range: { low: 0, high: 1 }, rangeFrom: "run", boundary: 0.5, loaded: [-1, -1], count: 0, solids: 0 };

  function load() {
    const frame = data.frames[state.frame];
    if (state.loaded[0] !== state.frame) {
      const bytes = bytesOf(frame.position);
      state.count = bytes.length / (2 * coordinates);
      fill(buffers.place, bytes);
      const solids = bytesOf(frame.solids || ""); // walls and bodies that move
      state.solids = solids.length / (2 * coordinates);
      fill(buffers.solids, solids);
    }
    if (state.loaded[0] !== state.frame || state.loaded[1] !== state.field) fill(buffers.value, bytesOf(frame.fields[state.field]));
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

  function points(buffer, count) {
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, coordinates, gl.UNSIGNED_SHORT, true, 0, 0);
    gl.drawArrays(gl.POINTS, 0, count);
  }

  // --- colours ----------------------------------------------------------------------------------------------------

  /// The texture has a colour for each of the levels that the bytes of a field stand for.
  function colourLevels() {
    const { low, high } = state.range, levels = data.fields[state.field].levels;
    const texture = new Uint8Array(3 * 256);
    levels.forEach((value, k) => {
      const part = Math.max(0, Math.min(1, (value - low) / (high - low)));
      const from = 3 * Math.round(255 * (high > low ? part : 0));
      for (let c = 0; c < 3; ++c) texture[3 * k + c] = colours[from + c];
    });
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGB, 256, 1, 0, gl.RGB, gl.UNSIGNED_BYTE, texture);
  }
  /// All values of the frame but the outermost fiftieths.
  function rangeOfFrame() {
    const levels = data.fields[state.field].levels, bytes = bytesOf(data.frames[state.frame].fields[state.field]);
    const count = new Array(256).fill(0);
    for (const byte of bytes) ++count[byte];
    const at = (share) => {
      let k = 0;
      for (let below = count[0]; k < 255 && below <= share * bytes.length; below += count[++k]);
      return levels[k];
    };
    const low = data.fields[state.field].name === "speed" ? 0 : at(0.02), high = at(0.98);
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

  function draw() {
    const density = Math.min(window.devicePixelRatio || 1, 2);
    const width = Math.max(1, Math.round(canvas.clientWidth * density));
    const height = Math.max(1, Math.round(canvas.clientHeight * density));
    if (canvas.width !== width || canvas.height !== height) { canvas.width = width; canvas.height = height; }
    load();
    if (state.rangeFrom === "frame") settleRange();
    gl.viewport(0, 0, width, height);
    gl.clearColor(0.968, 0.976, 0.984, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.uniformMatrix4fv(at("view"), false, viewMatrix(width / height));
    gl.uniform1f(at("pixels"), 0.5 * height * lens);

    gl.enable(gl.DEPTH_TEST);
    gl.disable(gl.BLEND);
    gl.depthMask(true);
    gl.uniform4f(at("plain"), 0, 0, 0, 0);
    gl.uniform1f(at("diameter"), diameter(data.fluid_stride));
    gl.bindBuffer(gl.ARRAY_BUFFER, buffers.value);
    gl.enableVertexAttribArray(1);
    gl.vertexAttribPointer(1, 1, gl.UNSIGNED_BYTE, true, 0, 0);
    points(buffers.place, state.count);

    const alpha = state.boundary * (data.flat ? 1 : 0.16);
    if (boundaryCount + state.solids > 0 && alpha > 0) {
      gl.enable(gl.BLEND);
      gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
      gl.depthMask(false);
      gl.disableVertexAttribArray(1);
      gl.uniform4f(at("plain"), 0.36, 0.38, 0.42, alpha);
      gl.uniform1f(at("diameter"), diameter(data.boundary_stride));
      if (boundaryCount > 0) points(buffers.boundary, boundaryCount);
      gl.uniform1f(at("diameter"), diameter(data.solid_stride));
      if (state.solids > 0) points(buffers.solids, state.solids);
      gl.depthMask(true);
    }
    element("clock").textContent = "t = " + data.frames[state.frame].time.toFixed(3) + " s";
    element("player").dataset.frame = state.frame;
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

  chooseField(0);
  show(0);
})();
