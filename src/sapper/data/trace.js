document.addEventListener("keydown", event => {
  const way = {ArrowRight: 1, ArrowLeft: -1}[event.key];
  if (!way || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const steps = [...document.querySelectorAll('[id^="step-"]')];
  const tops = steps.map(step => Math.abs(step.getBoundingClientRect().top));
  const aimed = steps.findIndex(step => "#" + step.id === location.hash);
  const nearest = tops.indexOf(Math.min(...tops));
  const near = aimed >= 0 && tops[aimed] < innerHeight / 2 ? aimed : nearest;
  const next = steps[near + way];
  if (!next) return;
  event.preventDefault();
  location.replace("#" + next.id);
});
