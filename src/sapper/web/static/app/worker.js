// The service worker: the page opens at once, and without the server it opens at all.
//
// The server fills in the version and the files. The parts of a version never change, so they come from the cache. The
// page comes from the server whenever that answers, so an upgrade is never missed; only without an answer is the kept
// page shown, together with the parts that belong to it. What is under api/ goes to the server, untouched.

const VERSION = "VERSION";
const FILES = ["FILES"];

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const ROOT = new URL("./", worker.location.href);
const PARTS = new URL(`static/${VERSION}/`, ROOT).href;
// Several servers may share an origin, each under its own path.
const OURS = `sapper ${ROOT.pathname} `;
const CACHE = OURS + VERSION;

worker.addEventListener("install", (event) => event.waitUntil(install()));
worker.addEventListener("activate", (event) => event.waitUntil(activate()));
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  if (request.mode === "navigate" && new URL(request.url).pathname === ROOT.pathname) event.respondWith(page(request));
  else if (request.url.startsWith(PARTS)) event.respondWith(part(request));
});

async function install() {
  const cache = await caches.open(CACHE);
  const answer = await fetch(ROOT, { cache: "no-cache" });
  // A page of another version would ask for parts that are not here: upgraded this very moment, so the next one serves.
  if (!answer.ok || !(await answer.clone().text()).includes(VERSION)) {
    throw new Error("The page is of another version.");
  }
  await cache.addAll(FILES.map((name) => new URL(name, ROOT).href));
  await cache.put(ROOT, answer);
  await worker.skipWaiting();
}

async function activate() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(OURS) && name !== CACHE).map((name) => caches.delete(name)));
  await worker.clients.claim();
}

/** @param {Request} request */
async function page(request) {
  let answer = null;
  try {
    answer = await fetch(request);
    // A proxy in front of a server that is away.
    if (![502, 503, 504].includes(answer.status)) return answer;
  } catch {
    // Nobody there.
  }
  return (await caches.match(ROOT, { cacheName: CACHE })) ?? answer ?? Response.error();
}

/** @param {Request} request */
async function part(request) {
  // Not opened by its name: that would make it again, after a newer worker has cleared it away.
  return (await caches.match(request, { cacheName: CACHE, ignoreVary: true })) ?? fetch(request);
}
