/** Lets the keyboard reach tables and code that are wider than the page, and no others. */
export function showScrollers(): void {
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      if (target.scrollWidth > target.clientWidth) target.setAttribute('tabindex', '0');
      else target.removeAttribute('tabindex');
    }
  });
  for (const element of document.querySelectorAll('.scroller, pre')) observer.observe(element);
}
