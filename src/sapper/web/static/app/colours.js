// Before anything is painted: light or dark, as was chosen for this browser. Not a module, because those run too late.
{
  const SYSTEM = "(prefers-color-scheme: dark)";
  /** @type {Record<string, string>} */
  const MEDIA = { light: "not all", dark: "all" };

  // The styles ask the system; where something else is chosen, the same rules are made to hold always or never.
  const rules = [...document.styleSheets]
    .flatMap((sheet) => [...sheet.cssRules])
    .filter((rule) => rule instanceof CSSMediaRule)
    .filter((rule) => rule.conditionText === SYSTEM);
  /** @type {NodeListOf<HTMLMetaElement>} */
  const [lightBar, darkBar] = document.querySelectorAll("meta[name=theme-color]");
  const media = { light: lightBar.media, dark: darkBar.media };

  const apply = () => {
    let theme = "";
    try {
      theme = localStorage.getItem("sapper.theme") ?? "";
    } catch {
      // As the system.
    }
    const isChosen = theme in MEDIA;
    for (const rule of rules) rule.media.mediaText = isChosen ? MEDIA[theme] : SYSTEM;
    lightBar.media = !isChosen ? media.light : theme === "light" ? "all" : "not all";
    darkBar.media = !isChosen ? media.dark : theme === "dark" ? "all" : "not all";
    document.documentElement.style.colorScheme = isChosen ? theme : "";
  };

  apply();
  document.addEventListener("themechange", apply);
}
