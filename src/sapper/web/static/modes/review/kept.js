// Games that were pasted or opened from a file, kept for as long as the tab is open: a reload does not lose them.

const PREFIX = "sapper.review.";

/** A short name for a game, the same for the same game (FNV-1a). @param {string} text */
function nameOf(text) {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36);
}

function forgetAll() {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
}

/**
 * Keep what the server was asked to review; return its name, or null if there is no room for it.
 * @param {Reviewed} what
 */
export function keep(what) {
  const { games: _, ...game } = what;
  const name = nameOf(JSON.stringify(game));
  const value = JSON.stringify(what);
  for (const makeRoom of [() => {}, forgetAll]) {
    try {
      makeRoom();
      sessionStorage.setItem(PREFIX + name, value);
      return name;
    } catch {
      // Full, or refused in a private window: once more without the older ones.
    }
  }
  return null;
}

/** What was kept under a name, or null. @param {string} name @returns {Reviewed | null} */
export function recall(name) {
  try {
    return JSON.parse(sessionStorage.getItem(PREFIX + name) ?? "null");
  } catch {
    return null;
  }
}
