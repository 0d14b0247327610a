// Opens a built gallery as a visitor does, from a file and without a network, and checks that it
// works: filters, cards, reveal, overlays, plots, keyboard, deep links; no error on the console and
// no request to anywhere.
//
//   node .ci/release/gallery.mjs GALLERY_DIR SCREENSHOT_DIR
//
// Needs playwright-core, looked up from the folder PLAYWRIGHT_DIR (where `npm install
// playwright-core` was run; the current folder where it is not set), and Chromium at CHROMIUM
// (/usr/bin/chromium where it is not set). Ends with code 1 when something does not hold.

import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import vm from "node:vm";

const [galleryFolder, screenshotFolder] = process.argv.slice(2);
if (!galleryFolder || !screenshotFolder) {
  console.error("usage: node gallery.mjs GALLERY_DIR SCREENSHOT_DIR");
  process.exit(2);
}
const require = createRequire(path.join(path.resolve(process.env.PLAYWRIGHT_DIR ?? "."), "index.js"));
const { chromium } = require("playwright-core");

const pageUrl = pathToFileURL(path.resolve(galleryFolder, "index.html")).href;
mkdirSync(screenshotFolder, { recursive: true });

/** The data that the page was given, read without the page. */
const script = readFileSync(path.join(galleryFolder, "data.js"), "utf8");
const data = vm.runInNewContext(`${script};GALLERY`);

const faults = [];
function check(what, found, wanted) {
  const same = JSON.stringify(found) === JSON.stringify(wanted);
  if (!same) faults.push(`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`);
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ],
});

/** A page that reports every error and every request beyond files. */
async function open({ width, height, colorScheme = "light", hash = "" }) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, offline: true });
  const page = await context.newPage();
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") faults.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => faults.push(`page error: ${error.message}`));
  page.on("request", (request) => {
    if (!/^(file|data):/.test(request.url())) faults.push(`a request to ${request.url()}`);
  });
  page.on("requestfailed", (request) => {
    // A lazy picture that is scrolled past may be given up.
    if (!/ERR_ABORTED/.test(request.failure()?.errorText ?? "")) faults.push(`not loaded: ${request.url()}`);
  });
  await page.goto(pageUrl + hash);
  return page;
}

/** Waits until every picture in view is there, and saves what is seen. */
async function save(page, name, options = {}) {
  await page.waitForFunction(() =>
    [...document.images].every((image) => {
      const box = image.getBoundingClientRect();
      const inView = box.width > 0 && box.top < innerHeight && box.bottom > 0;
      return !inView || (image.complete && image.naturalWidth > 0);
    }),
  );
  await page.screenshot({ path: path.join(screenshotFolder, `${name}.png`), ...options });
}

const cards = (page) => page.locator(".card").count();
/** Waits until so many cards are there; the check that follows says when they never are. */
const settled = (page, wanted) =>
  page
    .waitForFunction((wanted) => document.querySelectorAll(".card").length === wanted, wanted, { timeout: 5000 })
    .catch(() => {});
const hashOf = (page) => new URLSearchParams(new URL(page.url()).hash.slice(1));

async function checkFilters(page) {
  check("cards at first", await cards(page), data.instances.length);
  for (const key of ["property", "task", "level", "split", "theme"]) {
    const values = [...new Set(data.instances.map((instance) => instance[key]).filter((value) => value !== null))];
    const select = page.locator(`#filter-${key}`);
    check(`a filter by ${key}`, await select.count(), values.length > 1 ? 1 : 0);
    if (values.length < 2) continue;
    for (const value of values) {
      await select.selectOption(value);
      const wanted = data.instances.filter((instance) => instance[key] === value).length;
      await page.waitForFunction((value) => decodeURIComponent(location.hash).includes(value), value);
      check(`cards with ${key} ${value}`, await cards(page), wanted);
    }
    await page.locator("#reset").click();
    await settled(page, data.instances.length);
    check(`cards after ${key}`, await cards(page), data.instances.length);
  }
  for (const task of data.tasks.filter((task) => task.queries.length > 0)) {
    await page.locator("#filter-task").selectOption(task.id);
    const query = task.queries[0];
    await page.locator("#filter-query").selectOption(query);
    const wanted = data.instances.filter((instance) => instance.task === task.id && instance.query === query).length;
    check(`cards of ${task.id} with query ${query}`, await cards(page), wanted);
    await page.locator("#reset").click();
  }
}

async function checkInstance(page) {
  const instance = data.instances.find((candidate) => candidate.pictures[0].overlay) ?? data.instances[0];
  await page.locator(`a[href*="open=${instance.id}"]`).click();
  await page.waitForSelector("#detail[open]");
  check("the prompt", await page.locator("#prompt").evaluate((node) => node.textContent), instance.prompt);
  check("the prompt's white space", await page.locator("#prompt").evaluate((node) => getComputedStyle(node).whiteSpace), "pre-wrap");
  check("the answer before it is revealed", await page.locator("#answer").isVisible(), false);
  check("overlays before the answer is revealed", await page.locator(".overlay").count(), 0);
  await page.locator("#response").fill("rr  {}");
  check("the answer while a response is typed", await page.locator("#answer").isVisible(), false);
  await page.locator("#response").blur();
  await page.keyboard.press("r");
  check("the answer", await page.locator("#answer-text").textContent(), instance.response);
  check("the response that was typed", await page.locator("#response").inputValue(), "rr  {}");
  const drawn = instance.pictures.filter((picture) => picture.overlay).length;
  check("overlays", await page.locator(".overlay").count(), drawn);
  check("the switch of the overlay", await page.locator("#show-overlay").isVisible(), drawn > 0);
  const place = (name) =>
    page.locator(name).first().evaluate((node) => {
      const { x, y, width, height } = node.getBoundingClientRect();
      return [x, y, width, height].map(Math.round);
    });
  const picture = await place(".picture");
  check("the picture has a size", picture[2] > 100 && picture[3] > 100, true);
  if (drawn > 0) {
    check("the overlay lies on the picture", await place(".overlay"), picture);
    await page.locator("#show-overlay").uncheck();
    check("an overlay that is switched off", await page.locator(".overlay").first().isVisible(), false);
    await page.locator("#show-overlay").check();
  }
  await page.locator("#show-boxes").check();
  const marks = instance.pictures.reduce((sum, picture) => sum + picture.boxes.length, 0);
  check("outlines of marks", await page.locator(".boxes .outline").count(), marks);
  check("outlines are seen", await page.locator(".boxes").first().isVisible(), true);
  await page.locator("#show-boxes").uncheck();
}

async function checkKeyboard(page) {
  const at = () => hashOf(page).get("open");
  const ids = data.instances.map((instance) => instance.id);
  await page.goto(`${pageUrl}#open=${ids[0]}`);
  await page.reload();
  await page.waitForSelector("#detail[open]");
  await page.keyboard.press("ArrowRight");
  check("the instance after the first", at(), ids[1] ?? ids[0]);
  await page.keyboard.press(" ");
  check("the answer after a press of space", await page.locator("#answer").isVisible(), true);
  await page.keyboard.press("ArrowLeft");
  check("the instance before the second", at(), ids[0]);
  await page.keyboard.press("ArrowLeft");
  check("nothing before the first", at(), ids[0]);
  await page.keyboard.press("Escape");
  await page.waitForSelector("#detail:not([open])", { state: "attached" });
  check("closed by Escape", at(), null);
}

async function checkMeasures(page) {
  await page.locator("#tab-measures").click();
  const wanted = data.tasks.flatMap((task) => Object.values(task.plots ?? {}).filter((plot) => plot !== null));
  const plots = await page.locator(".plot img").evaluateAll((images) =>
    images.map((image) => ({ seen: image.getBoundingClientRect().width > 200, loaded: image.naturalWidth > 0, alt: image.alt.length > 20 })),
  );
  check("plots", plots.length, wanted.length);
  check("plots that are not seen, not loaded or without words", plots.filter((plot) => !(plot.seen && plot.loaded && plot.alt)), []);
  check("rejections", await page.locator("#rejections tbody tr").count(), data.rejections.length);
}

try {
  const wide = await open({ width: 1360, height: 900 });
  check("rows", data.instances.length > 0, true);
  await save(wide, "instances");
  await checkFilters(wide);
  await checkInstance(wide);
  await save(wide, "revealed");
  await checkKeyboard(wide);
  await checkMeasures(wide);
  await save(wide, "measures", { fullPage: true });

  const link = await open({ width: 1360, height: 900, hash: "#level=no+such+tier" });
  check("cards of a filter that nothing matches", [await cards(link), await link.locator("#nothing").isVisible()], [0, true]);
  await save(link, "empty");
  await link.locator("#clear").click();
  await settled(link, data.instances.length);
  check("cards after all filters are cleared", await cards(link), data.instances.length);

  for (const task of data.tasks) {
    const of = data.instances.filter((instance) => instance.task === task.id);
    for (const [number, instance] of [of[0], of.at(-1)].filter(Boolean).entries()) {
      const dark = number === 1;
      const hash = `#task=${encodeURIComponent(task.id)}&open=${instance.id}`;
      const page = await open({ width: 1360, height: 900, hash, colorScheme: dark ? "dark" : "light" });
      check(`cards behind a link to ${task.id}`, await cards(page), of.length);
      await page.keyboard.press("r");
      check(`the answer behind a link to ${task.id}`, await page.locator("#answer-text").textContent(), instance.response);
      await save(page, `${task.id.replace("/", "-")}-${dark ? "dark" : "light"}`);
      await page.context().close();
    }
  }

  for (const colorScheme of ["light", "dark"]) {
    const phone = await open({ width: 390, height: 844, colorScheme });
    const overflow = () => phone.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    check("nothing is wider than a phone", Math.max(0, await overflow()), 0);
    await save(phone, `phone-instances-${colorScheme}`);
    await phone.goto(`${pageUrl}#open=${data.instances[0].id}`);
    await phone.keyboard.press("r");
    await save(phone, `phone-instance-${colorScheme}`);
    await phone.goto(`${pageUrl}#view=measures`);
    check("no measure is wider than a phone", Math.max(0, await overflow()), 0);
    await save(phone, `phone-measures-${colorScheme}`);
  }
} finally {
  await browser.close();
}

for (const fault of faults) console.error(fault);
console.log(faults.length === 0 ? "the gallery works" : `${faults.length} things do not hold`);
process.exitCode = faults.length === 0 ? 0 : 1;
