/** Scrolls the list of pages, and nothing else, to the page that is open. */
export function showCurrent(): void {
  const [list, current] = [document.querySelector('.pages'), document.querySelector('.pages [aria-current]')];
  if (!list || !current) return;
  const place = current.getBoundingClientRect().top - list.getBoundingClientRect().top;
  if (place > list.clientHeight * 0.75) list.scrollTop += place - list.clientHeight / 2;
}
