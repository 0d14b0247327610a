"use strict";

// The address after # holds everything: the section, the filters, the open instance. Events change
// the address, and the address is drawn.

const FILTERS = ["property", "task", "level", "query", "split", "theme"];
const LABELS = { property: "Property", task: "Task", level: "Tier", query: "Query", split: "Split", theme: "Theme" };
const byId = new Map(GALLERY.instances.map((instance) => [instance.id, instance]));
const revealed = new Set();
const responses = new Map();
let visible = [];
let drawnFilters = null;

const find = (id) => document.getElementById(id);

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== null) made.setAttribute(key, String(value));
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

const number = (value) => value.toLocaleString("en-US");
const percent = (share) => `${(share * 100).toFixed(1)} %`;
const plural = (count, noun) => `${number(count)} ${noun}${count === 1 ? "" : "s"}`;

/** A query in a few words: `budget 7` for `{"budget":7}`. */
function queryWords(json) {
  const value = JSON.parse(json);
  if (value === null || typeof value !== "object" || Array.isArray(value)) return json;
  const plain = (part) => (typeof part === "string" ? part : JSON.stringify(part));
  return Object.entries(value).map(([key, part]) => `${key.replaceAll("_", " ")} ${plain(part)}`).join(", ");
}

/** JSON text broken into lines down to the given depth; numbers keep all their digits. */
function brokenJson(text, depth) {
  let out = "";
  let level = 0;
  let quoted = false;
  const line = () => `\n${"  ".repeat(level)}`;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (quoted) {
      out += character;
      if (character === "\\") out += text[(at += 1)];
      else if (character === '"') quoted = false;
    } else if (character === '"') {
      quoted = true;
      out += character;
    } else if (character === "{" || character === "[") {
      level += 1;
      const empty = text[at + 1] === "}" || text[at + 1] === "]";
      out += character + (level <= depth && !empty ? line() : "");
    } else if (character === "}" || character === "]") {
      level -= 1;
      const empty = text[at - 1] === "{" || text[at - 1] === "[";
      out += (level < depth && !empty ? line() : "") + character;
    } else if (character === ",") {
      out += level <= depth ? `,${line()}` : ", ";
    } else {
      out += character === ":" ? ": " : character;
    }
  }
  return out;
}

// The address.

function state() {
  const parameters = new URLSearchParams(location.hash.slice(1));
  const filters = Object.fromEntries(FILTERS.map((key) => [key, parameters.get(key) ?? ""]));
  return { view: parameters.get("view") === "measures" ? "measures" : "instances", filters, open: parameters.get("open") };
}

function address({ view, filters, open }) {
  const parameters = new URLSearchParams();
  if (view === "measures") parameters.set("view", view);
  for (const key of FILTERS) if (filters[key]) parameters.set(key, filters[key]);
  if (open) parameters.set("open", open);
  return `#${parameters}`;
}

/** Goes to a changed state: as a new step of the history, or in the stead of this one. */
function go(changes, replace = false) {
  const target = address({ ...state(), ...changes });
  if (replace) location.replace(target);
  else location.hash = target;
}

// Filters and cards.

const matches = (instance, filters, but) =>
  FILTERS.every((key) => key === but || !filters[key] || String(instance[key] ?? "") === filters[key]);

function optionsOf(key, filters) {
  if (key === "query") {
    const task = GALLERY.tasks.find((known) => known.id === filters.task);
    return task ? task.queries.map((query) => [query, queryWords(query)]) : [];
  }
  const values = new Set(GALLERY.instances.map((instance) => instance[key]).filter((value) => value !== null));
  if (key === "level") {
    const order = new Map(GALLERY.instances.map((instance) => [instance.level, instance.difficulty]));
    return [...values].sort((a, b) => order.get(a) - order.get(b)).map((value) => [value, value]);
  }
  return [...values].sort().map((value) => [value, value]);
}

function drawFilters(filters) {
  const form = find("filters");
  const focused = document.activeElement?.id;
  form.replaceChildren();
  for (const key of FILTERS) {
    const options = optionsOf(key, filters);
    if (key === "query" ? options.length === 0 : options.length < 2 && !filters[key]) continue;
    const select = element("select", { id: `filter-${key}` }, element("option", { value: "" }, "all"));
    for (const [value, words] of options) {
      const count = GALLERY.instances.filter((i) => String(i[key]) === value && matches(i, filters, key)).length;
      select.append(element("option", { value }, `${words} (${count})`));
    }
    if (filters[key] && !options.some(([value]) => value === filters[key])) {
      select.append(element("option", { value: filters[key] }, `${filters[key]} (0)`));
    }
    select.value = filters[key];
    select.addEventListener("change", () => {
      const changed = { ...state().filters, [key]: select.value };
      if (key === "task") changed.query = "";
      go({ filters: changed });
    });
    const chosen = filters[key] ? " chosen" : "";
    form.append(element("label", { class: `filter${chosen}` }, element("span", {}, LABELS[key]), select));
  }
  if (FILTERS.some((key) => filters[key])) {
    const button = element("button", { type: "button", id: "reset", class: "quiet" }, "Show all");
    button.addEventListener("click", () => go({ filters: {} }));
    form.append(button);
  }
  if (focused && focused.startsWith("filter-")) find(focused)?.focus();
}

function card(instance) {
  const first = instance.pictures[0];
  const image = element("img", { src: first.file, alt: "", loading: "lazy", width: first.width, height: first.height });
  const more = instance.pictures.length;
  const pictures = more > 1 ? plural(more, "picture") : null;
  const words = [instance.task, instance.level, instance.split, instance.theme, pictures].filter(Boolean).join(", ");
  const link = element(
    "a",
    { class: "card", href: address({ ...state(), open: instance.id }), "aria-label": words },
    element("span", { class: "thumb" }, image),
    element(
      "span",
      { class: "caption" },
      element("span", { class: "name" }, instance.task),
      pictures ? element("span", { class: "count", title: pictures }, `×${more}`) : null,
      element("span", { class: `tier ${instance.level}` }, instance.level),
    ),
  );
  return element("li", {}, link);
}

function drawCards(filters) {
  visible = GALLERY.instances.filter((instance) => matches(instance, filters));
  const groups = find("groups");
  groups.replaceChildren();
  for (const task of GALLERY.tasks) {
    const own = visible.filter((instance) => instance.task === task.id);
    if (own.length === 0) continue;
    const section = element("section", { class: "task" });
    section.append(
      element(
        "div",
        { class: "task-head" },
        element("h2", {}, task.id),
        element("p", {}, task.summary),
        element("p", { class: "kind" }, [task.property, task.kind].filter(Boolean).join(" · ")),
      ),
    );
    for (const [level, rows] of task.levels) {
      const cards = own.filter((instance) => instance.level === level);
      if (cards.length === 0) continue;
      section.append(
        element(
          "div",
          { class: "level-head" },
          element("h3", {}, level),
          element("span", {}, `${number(cards.length)} of ${number(rows)} shown`),
        ),
        element("ul", { class: "cards" }, ...cards.map(card)),
      );
    }
    groups.append(section);
  }
  find("nothing").hidden = visible.length > 0;
  const of = visible.length === GALLERY.instances.length ? "" : ` of ${number(GALLERY.instances.length)}`;
  find("tally").textContent = `${number(visible.length)}${of} on this page, out of ${plural(GALLERY.rows, "instance")} in the dataset`;
}

// One instance.

const openInstance = () => byId.get(state().open);

function step(by) {
  const at = visible.findIndex((instance) => instance.id === state().open);
  const to = visible[at < 0 ? 0 : at + by];
  if (to) go({ open: to.id }, true);
}

const SVG = "http://www.w3.org/2000/svg";

function stage(instance, picture, index) {
  const several = instance.pictures.length > 1;
  const alt = `Picture${several ? ` ${index + 1} of ${instance.pictures.length}` : ""} of ${instance.task}; the question is about it.`;
  const frame = element(
    "div",
    { class: "frame" },
    element("img", { class: "picture", src: picture.file, alt, width: picture.width, height: picture.height }),
  );
  if (picture.overlay && revealed.has(instance.id)) {
    frame.append(element("img", { class: "overlay", src: picture.overlay, alt: "The certificate, drawn on the picture." }));
  }
  const boxes = document.createElementNS(SVG, "svg");
  boxes.setAttribute("class", "boxes");
  boxes.setAttribute("viewBox", `0 0 ${picture.width} ${picture.height}`);
  boxes.setAttribute("role", "img");
  boxes.setAttribute("aria-label", `Outlines of ${plural(picture.boxes.length, "mark")}`);
  for (const [name, x, y, width, height] of picture.boxes) {
    for (const kind of ["casing", "outline"]) {
      const box = document.createElementNS(SVG, "rect");
      const values = { class: kind, x, y, width, height, rx: 2, "vector-effect": "non-scaling-stroke" };
      for (const [key, value] of Object.entries(values)) box.setAttribute(key, String(value));
      const title = document.createElementNS(SVG, "title");
      title.textContent = name;
      box.append(title);
      boxes.append(box);
    }
  }
  frame.append(boxes);
  const figure = element("figure", {}, frame);
  if (several) figure.append(element("figcaption", {}, `Picture ${index + 1}`));
  return figure;
}

function facts(instance) {
  const seeds = Object.entries(instance.seeds).map(([stream, seed]) => `${stream} ${seed}`).join("\n");
  const list = [
    ["id", instance.id],
    ["state hash", instance.state_hash],
    ["split", instance.split],
    ["theme", instance.theme],
    ["difficulty", `${instance.level} (${instance.difficulty})`],
    ["effort", number(instance.effort)],
    ["chance", instance.chance === null ? "none" : percent(instance.chance)],
    ["budget", instance.budget === null ? null : plural(instance.budget, "action")],
    ["operations", instance.operations.join(", ")],
    ["query", instance.query === "null" ? null : queryWords(instance.query)],
    ["domain", brokenJson(instance.domain, 0)],
    ["build seed", instance.seed],
    ["seeds", seeds],
  ];
  return list
    .filter(([, value]) => value !== null && value !== "")
    .flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]);
}

function drawAnswer(instance) {
  const open = revealed.has(instance.id);
  find("answer").hidden = !open;
  find("reveal").hidden = open;
  find("show-overlay").closest("label").hidden = !open || !instance.pictures.some((picture) => picture.overlay);
  find("sheet").classList.toggle("revealed", open);
  if (!open) return;
  find("answer-text").textContent = instance.response;
  const length = instance.reference_length;
  const plan = length === null ? "" : `A reference plan of ${plural(length, "action")}; any plan that reaches the goal in time is right. `;
  const drawn = instance.pictures.some((picture) => picture.overlay);
  find("explained").textContent = plan + (drawn ? "The certificate that proves it is drawn on the picture." : "");
  const shortcuts = instance.shortcuts ?? [];
  find("shortcuts").replaceChildren(
    ...shortcuts.map(([name, right]) =>
      element("li", { class: right ? "right" : "wrong" }, element("span", {}, name), element("b", {}, right ? "right" : "wrong")),
    ),
  );
  if (shortcuts.length === 0) find("shortcuts").append(element("li", {}, "This task, or this version of it, is unknown here."));
  find("evidence").textContent = brokenJson(instance.evidence, 2);
}

function drawDetail() {
  const dialog = find("detail");
  const instance = openInstance();
  if (!instance) {
    if (dialog.open) dialog.close();
    return;
  }
  const at = visible.indexOf(instance);
  find("detail-task").textContent = instance.task;
  find("detail-tags").replaceChildren(
    element("span", { class: `tier ${instance.level}` }, instance.level),
    element("span", { class: "tag" }, instance.split),
    ...(instance.theme ? [element("span", { class: "tag" }, instance.theme)] : []),
  );
  find("detail-place").textContent = at < 0 ? "" : `${number(at + 1)} / ${number(visible.length)}`;
  find("previous").disabled = at <= 0;
  find("next").disabled = at >= visible.length - 1;
  const many = instance.pictures.length;
  find("stages").className = many > 1 ? "several" : "";
  find("stages").replaceChildren(...instance.pictures.map((picture, index) => stage(instance, picture, index)));
  find("parts").replaceChildren(
    ...instance.pictures.map((picture, index) =>
      element("span", { class: "part" }, `${many > 1 ? `picture ${index + 1}` : "picture"} · ${picture.width} × ${picture.height}`),
    ),
  );
  find("prompt").textContent = instance.prompt;
  find("response").value = responses.get(instance.id) ?? "";
  find("facts").replaceChildren(...facts(instance));
  drawAnswer(instance);
  if (!dialog.open) {
    dialog.showModal();
    find("sheet").scrollTop = 0;
  }
}

function reveal() {
  const instance = openInstance();
  if (!instance || revealed.has(instance.id)) return;
  revealed.add(instance.id);
  drawDetail();
}

// Measures.

function drawMeasures() {
  for (const kind of ["guesses", "answers", "effort"]) {
    const holder = find(`plots-${kind}`);
    for (const task of GALLERY.tasks) {
      const plot = task.plots?.[kind];
      if (!plot) continue;
      const image = element("img", { src: plot.light, alt: plot.alt, width: plot.width, height: plot.height });
      const dark = element("source", { srcset: plot.dark, media: "(prefers-color-scheme: dark)" });
      holder.append(element("figure", { class: "plot" }, element("figcaption", {}, task.id), element("picture", {}, dark, image)));
    }
    if (holder.childElementCount === 0) holder.append(element("p", { class: "notice" }, "Nothing to show."));
  }
  const body = find("rejections").tBodies[0];
  for (const [task, level, reason, count] of GALLERY.rejections) {
    body.append(
      element(
        "tr",
        {},
        element("td", { class: "name" }, task),
        element("td", {}, level),
        element("td", {}, reason),
        element("td", { class: "number" }, number(count)),
      ),
    );
  }
  find("no-rejections").hidden = GALLERY.rejections.length > 0;
  find("rejections").hidden = GALLERY.rejections.length === 0;
}

function draw() {
  const { view, filters } = state();
  find("instances").hidden = view !== "instances";
  find("measures").hidden = view !== "measures";
  for (const name of ["instances", "measures"]) {
    const tab = find(`tab-${name}`);
    tab.href = address({ view: name, filters });
    if (name === view) tab.setAttribute("aria-current", "page");
    else tab.removeAttribute("aria-current");
  }
  const key = JSON.stringify(filters);
  if (key !== drawnFilters) {
    drawnFilters = key;
    drawFilters(filters);
    drawCards(filters);
  }
  drawDetail();
}

function begin() {
  document.title = `topotrace ${GALLERY.title}`;
  find("title").textContent = GALLERY.title;
  find("colophon").textContent = `Made by ${GALLERY.generator} from build seed ${GALLERY.seed}.`;
  drawMeasures();
  find("clear").addEventListener("click", () => go({ filters: {} }));
  find("filters").addEventListener("submit", (event) => event.preventDefault());
  find("previous").addEventListener("click", () => step(-1));
  find("next").addEventListener("click", () => step(1));
  find("close").addEventListener("click", () => go({ open: null }));
  find("reveal").addEventListener("click", reveal);
  find("response").addEventListener("input", (event) => responses.set(state().open, event.target.value));
  find("show-overlay").addEventListener("change", (event) => find("sheet").classList.toggle("bare", !event.target.checked));
  find("show-boxes").addEventListener("change", (event) => find("sheet").classList.toggle("boxed", event.target.checked));
  const dialog = find("detail");
  dialog.addEventListener("cancel", (event) => {
    event.preventDefault();
    go({ open: null });
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) go({ open: null });
  });
  document.addEventListener("keydown", (event) => {
    if (!openInstance() || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target;
    if (target.matches("textarea, select, input:not([type=checkbox])")) return;
    if (event.key === "ArrowLeft") step(-1);
    else if (event.key === "ArrowRight") step(1);
    else if (event.key === "r" || event.key === "R") reveal();
    // Space presses what has the focus, where that can be pressed.
    else if (event.key === " " && !target.matches("button, summary, input, a")) reveal();
    else return;
    event.preventDefault();
  });
  window.addEventListener("hashchange", draw);
  draw();
}

begin();
