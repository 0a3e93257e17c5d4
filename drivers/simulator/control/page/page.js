/** Follows a simulated device: its paper as it comes out, its state, and buttons for faults. */

const roll = document.getElementById("roll");
const sheets = new Map();
/** White around the paper in a picture of it. */
const MARGIN_PX = 16;

/** The words for what ails a device, the worst first. */
function ailments({ conditions, powered, plugged }) {
  const found = [];
  if (!powered) found.push(["bad", "The power is off"]);
  if (!plugged) found.push(["bad", "The cable is out"]);
  if (conditions.paper === "out") {
    found.push(["bad", conditions.printingWaits ? "No paper: printing waits" : "No paper"]);
  }
  if (conditions.cover === "open") found.push(["bad", "The cover is open"]);
  if (conditions.broken) found.push(["bad", "The fiscal memory does not answer"]);
  if (conditions.memory === "full") found.push(["bad", "Fiscal memory is full"]);
  if (conditions.clockLost) found.push(["bad", "The clock has lost the time"]);
  if (conditions.dayOver) found.push(["warn", "The fiscal day is over"]);
  if (conditions.paper === "low") found.push(["warn", "Paper is low"]);
  if (conditions.memory === "near_full") found.push(["warn", "Fiscal memory is near full"]);
  return found;
}

function showState(state) {
  const found = ailments(state);
  const mood = found[0]?.[0] ?? "good";
  const { driver, model, serialNumber } = state.device;
  const text = found.map(([, words]) => words).join(". ");
  setText("state", text || (state.open === null ? "Ready" : "Printing"));
  document.getElementById("state").className = mood;
  document.getElementById("lamp").className = mood;
  setText("name", `${driver}  ${serialNumber}`);
  setText("title", `${driver}, model ${model}`);
  document.title = `${driver} ${serialNumber}`;
  const facts = {
    "Open document": state.open ?? "none",
    "Fiscal receipts": state.receiptCount,
    "Z reports": state.zNumber,
    "Cash in drawer": (state.cash / 100).toFixed(2),
    Clock: state.clock?.replace("T", " "),
    "Frames received": state.frames,
  };
  const rows = Object.entries(facts).flatMap(([name, value]) => [
    element("dt", name),
    element("dd", String(value)),
  ]);
  document.getElementById("facts").replaceChildren(...rows);
}

function setText(id, text) {
  document.getElementById(id).textContent = text;
}

function element(tag, text) {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

/** Shows the documents, fetching only those that changed; the open one grows out of the slot. */
function showPaper(state) {
  const numbers = state.open === null ? state.documents : [...state.documents, state.open];
  for (const [number, sheet] of sheets) {
    if (numbers.includes(number)) continue;
    sheet.box.remove();
    sheets.delete(number);
  }
  const isFirst = sheets.size === 0;
  for (const number of numbers) {
    const isOpen = number === state.open;
    const sheet = sheets.get(number) ?? addSheet(number);
    // A finished document is fetched once more, for its end.
    if (isOpen || !sheet.isWhole) fetchSheet(sheet, { number, revision: state.revision });
    sheet.isWhole = !isOpen;
    sheet.jumps = isFirst && !isOpen;
  }
}

function addSheet(number) {
  const box = document.createElement("div");
  box.className = "sheet";
  box.style.height = "0px";
  roll.append(box);
  const sheet = { box, isWhole: false, jumps: false, loading: false, wanted: undefined };
  sheets.set(number, sheet);
  return sheet;
}

/** Loads a picture of the sheet; while one loads, only the newest that is wanted comes next. */
function fetchSheet(sheet, wanted) {
  if (sheet.loading) {
    sheet.wanted = wanted;
    return;
  }
  sheet.loading = true;
  const image = new Image();
  image.alt = `Document ${wanted.number}`;
  image.onload = () => {
    const isAtEnd = roll.scrollHeight - roll.scrollTop - roll.clientHeight < 80;
    sheet.box.replaceChildren(image);
    if (sheet.jumps) sheet.box.style.transition = "none";
    // What is still being printed hangs out of the slot: the margin below it is not shown.
    const hiddenPx = sheet.isWhole ? 0 : MARGIN_PX * (image.offsetWidth / image.naturalWidth);
    sheet.box.style.height = `${image.offsetHeight - hiddenPx}px`;
    if (isAtEnd) followPaper();
    fetchNext(sheet);
  };
  image.onerror = () => fetchNext(sheet);
  image.src = `/paper/${wanted.number}.svg?revision=${wanted.revision}`;
}

function fetchNext(sheet) {
  sheet.loading = false;
  const { wanted } = sheet;
  sheet.wanted = undefined;
  if (wanted) fetchSheet(sheet, wanted);
}

/** Keeps the end of the paper in sight while it grows. */
function followPaper() {
  const until = performance.now() + 350;
  const step = () => {
    roll.scrollTop = roll.scrollHeight;
    if (performance.now() < until) requestAnimationFrame(step);
  };
  step();
}

async function press(button) {
  try {
    const answer = await fetch(button.dataset.path, { method: "POST", body: button.dataset.body });
    const { error } = await answer.json();
    setText("told", error ?? `${button.textContent}: done`);
  } catch {
    setText("told", "The simulator does not answer");
  }
}

for (const button of document.querySelectorAll("button")) {
  button.addEventListener("click", () => press(button));
}

const live = new EventSource("/live");
live.onmessage = ({ data }) => {
  const state = JSON.parse(data);
  showState(state);
  showPaper(state);
};
live.onerror = () => {
  document.getElementById("lamp").className = "";
  setText("state", "The simulator does not answer");
  document.getElementById("state").className = "bad";
};
