const shownMilliseconds = 2000;

/** Puts a button on each block of code that copies it; on none where the browser gives no clipboard, as over plain HTTP. */
export function startCopying(): void {
  if (!window.isSecureContext) return;
  for (const code of document.querySelectorAll<HTMLElement>('pre > code:not(.language-console)'))
    addButton(code);
}

function addButton(code: HTMLElement): void {
  const [box, button] = [document.createElement('div'), document.createElement('button')];
  box.className = 'code';
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(code.textContent).then(
      () => say(button, 'Copied'),
      () => say(button, 'Not copied'),
    );
  });
  code.parentElement?.replaceWith(box);
  box.append(code.parentElement ?? code, button);
}

function say(button: HTMLButtonElement, words: string): void {
  button.textContent = words;
  setTimeout(() => {
    button.textContent = 'Copy';
  }, shownMilliseconds);
}
