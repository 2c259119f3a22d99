"use strict";

const STEPS = 4; // of the slider, from one trained sigma to the next

// The slider: maps and points of every task at one sigma, interpolated between those that were trained
function morph({ tasks, ticks }) {
  const slider = document.getElementById("at-sigma");
  slider.max = STEPS * (ticks.length - 1);
  slider.disabled = ticks.length < 2;
  const drawers = [...document.querySelectorAll(".morph")].map((figure) => drawer(figure, tasks[figure.dataset.task]));
  document.getElementById("ticks").append(
    ...ticks.map(([, label], number) => {
      const tick = document.createElement("span");
      tick.textContent = label;
      tick.style.left = `${(100 * number) / Math.max(1, ticks.length - 1)}%`;
      return tick;
    }),
  );

  function show() {
    const number = Math.floor(slider.value / STEPS), share = (slider.value % STEPS) / STEPS;
    const [low, label] = ticks[number], [high, next] = ticks[Math.min(number + 1, ticks.length - 1)];
    const at = low + share * (high - low);
    const about = (10 ** at).toPrecision(2);
    document.getElementById("sigma-value").textContent = share ? `~${about}` : label;
    slider.setAttribute("aria-valuetext", share ? `σ about ${about}, between ${label} and ${next}` : `σ ${label}`);
    for (const draw of drawers) draw(at);
  }
  slider.addEventListener("input", show);
  show();
}

// Draws one task's map and plane at a place `at` on the slider, log10 of sigma
function drawer(figure, { groups, colours, labels, reference, truth, aside, maps, sigmas }) {
  const select = figure.querySelector("select");
  if (reference in maps) select.value = reference;
  const trueMaps = Object.fromEntries(Object.entries(maps).map(([name, text]) => [name, unpack(text)]));
  const steps = sigmas.map((one) => ({ ...one, map: unpack(one.map), added: unpack(one.added) }));
  const [canvas, addedCanvas, trueCanvas] = figure.querySelectorAll("canvas");
  const beside = truth.map(([x, y], k) => [x + aside[k][0], y + aside[k][1]]);
  const circles = points(figure.querySelector(".learned-plane"), beside, colours, labels);
  points(figure.querySelector(".true-plane"), beside, colours, labels);
  const names = new Map(groups.map((group, number) => [group, colours[number]]));
  for (const [group, colour] of names) {
    const item = document.createElement("span"), dot = document.createElement("i");
    dot.style.background = colour;
    item.append(dot, group);
    if (group) figure.querySelector(".groups").append(item);
  }
  const drawTrue = () => paint(trueCanvas, trueMaps[select.value], groups);
  select.addEventListener("change", drawTrue);
  drawTrue();
  return (at) => {
    const after = Math.max(0, steps.findIndex((step) => step.at >= at - 1e-9));
    const next = at > steps.at(-1).at ? steps.at(-1) : steps[after];
    const last = at > steps.at(-1).at ? next : steps[Math.max(0, after - 1)];
    const share = next.at > last.at ? Math.min(1, Math.max(0, (at - last.at) / (next.at - last.at))) : 1;
    const mix = (a, b) => a + share * (b - a);
    paint(canvas, next.map.map((value, k) => mix(last.map[k], value)), groups);
    paint(addedCanvas, next.added.map((value, k) => mix(last.added[k], value)), groups);
    circles.forEach((circle, k) => {
      circle.setAttribute("cx", mix(last.points[k][0], next.points[k][0]) + aside[k][0]);
      circle.setAttribute("cy", -mix(last.points[k][1], next.points[k][1]) - aside[k][1]);
    });
    const nearest = share < 0.5 ? last : next;
    figure.querySelector(".share").textContent = `it holds ${Math.round(100 * mix(last.share, next.share))} %`;
    figure.querySelector(".at").textContent = nearest.label;
    figure.querySelector(".fit").textContent = nearest.fit;
  };
}

// The bytes below the diagonal of a symmetric map to all of it, 0 to 1; a token and itself are 1
function unpack(text) {
  const half = Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
  const n = Math.round(Math.sqrt(2 * half.length + 0.25) + 0.5), whole = new Float32Array(n * n).fill(1);
  for (let row = 0, k = 0; row < n; row++)
    for (let column = 0; column < row; column++, k++)
      whole[row * n + column] = whole[column * n + row] = half[k] / 255;
  return whole;
}

function points(svg, places, colours, labels) {
  return places.map(([x, y], number) => {
    const circle = document.createElementNS("http://www.w3.org/2000/svg", "circle");
    const title = document.createElementNS("http://www.w3.org/2000/svg", "title");
    title.textContent = labels[number];
    circle.append(title);
    for (const [key, value] of Object.entries({ cx: x, cy: -y, r: places.length > 40 ? 0.045 : 0.075, fill: colours[number] }))
      circle.setAttribute(key, value);
    svg.append(circle);
    return circle;
  });
}

// A square per pair of tokens, darker for more alike; thin lines part the groups
function paint(canvas, map, groups) {
  const n = groups.length, scale = Math.ceil(480 / n);
  canvas.width = canvas.height = n * scale;
  const context = canvas.getContext("2d");
  map.forEach((value, k) => {
    context.fillStyle = colour(value);
    context.fillRect((k % n) * scale, Math.floor(k / n) * scale, scale, scale);
  });
  context.fillStyle = "rgba(0, 0, 0, .55)";
  for (let k = 1; k < n; k++)
    if (groups[k] !== groups[k - 1]) {
      context.fillRect(0, k * scale - 1, n * scale, 2);
      context.fillRect(k * scale - 1, 0, 2, n * scale);
    }
}

// Steps of the map Blues (Brewer), as in the figures
const SHADES = [[247, 251, 255], [198, 219, 239], [107, 174, 214], [33, 113, 181], [8, 48, 107]];
function colour(value) {
  const place = Math.min(3.999, 4 * value), step = Math.floor(place);
  return `rgb(${SHADES[step].map((part, k) => Math.round(part + (place - step) * (SHADES[step + 1][k] - part)))})`;
}

// Shows the claims of one verdict, stated before or after their scores; the main ones at first
function filter(form) {
  const rows = [...document.querySelectorAll(".claims tbody tr")];
  function show() {
    const verdict = form.elements.verdict.value, stated = form.elements.stated.value;
    for (const row of rows) {
      const { verdict: given, stated: when, main } = row.dataset;
      const asked = verdict === "main" ? main !== undefined : !verdict || given === verdict;
      row.hidden = !asked || Boolean(stated && when !== stated);
    }
    form.querySelector("output").textContent = `${rows.filter((row) => !row.hidden).length} of ${rows.length} claims`;
  }
  if (!rows.some((row) => "main" in row.dataset)) form.elements.verdict.value = "";
  form.hidden = false;
  form.addEventListener("change", show);
  show();
}

// Closes the contents once a link was chosen, and by Escape or a click elsewhere
function contents(nav) {
  const close = () => nav.querySelectorAll("details[open]").forEach((one) => (one.open = false));
  document.addEventListener("click", ({ target }) => {
    if (target.closest("a") || !nav.contains(target)) close();
  });
  nav.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape") return;
    nav.querySelector("details[open] summary")?.focus();
    close();
  });
}

const stored = document.getElementById("morph-data");
if (stored) morph(JSON.parse(stored.textContent));
filter(document.getElementById("filter"));
contents(document.getElementById("contents"));
