import { useContext } from 'preact/hooks';
import { commandAt } from '../state/command-at.ts';
import { Doings } from './doing.ts';

/** A button that copies a text. `what` names it for a screen reader. */
export function Copy({ text, what }: { readonly text: string; readonly what: string }) {
  const { copy } = useContext(Doings);
  return (
    <button type="button" class="copy" title={`Copy ${what}`} onClick={() => copy(text)}>
      <span class="copy-icon" aria-hidden="true" />
      <span class="visually-hidden">Copy {what}</span>
    </button>
  );
}

/** A command of drover to run, with its button. The sandbox runs in a clone, where `npx --no` finds it and fetches nothing. */
export function DroverCommand({ args, what }: { readonly args: string; readonly what: string }) {
  const { canAct } = useContext(Doings);
  return <Command text={`${canAct ? 'npx --no -- drover' : 'drover'} ${args}`} what={what} />;
}

/** A command to run, with its button. Beside other clusters it names its own, whatever the shell and the kubeconfig choose. */
export function Command({ text, what }: { readonly text: string; readonly what: string }) {
  const { place } = useContext(Doings);
  const whole = place === undefined ? text : commandAt(text, place);
  return (
    <span class="command">
      <code>{whole}</code>
      <Copy text={whole} what={what} />
    </span>
  );
}
