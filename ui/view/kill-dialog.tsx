import { useLayoutEffect, useRef } from 'preact/hooks';
import { focusPageIfLost } from '../keep-focus.ts';

/** What the dialog asks. Each press of a button is another question, also about the same instance. */
export interface KillQuestion {
  readonly instanceId: string;
}

/** Asks before an instance is killed. Escape and the first button keep it. */
export function KillDialog({
  question,
  onKill,
  onKeep,
}: {
  readonly question: KillQuestion | undefined;
  readonly onKill: (instanceId: string) => void;
  readonly onKeep: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    if (question === undefined) dialog.current?.close();
    else dialog.current?.showModal();
  }, [question]);
  const onClose = (): void => {
    // The browser reports the close some time after it: a busy page may have been asked the next question meanwhile.
    if (dialog.current?.open) return;
    onKeep();
    focusPageIfLost();
  };
  return (
    <dialog ref={dialog} class="confirm" aria-labelledby="kill-title" onClose={onClose}>
      <h2 id="kill-title">Kill {question?.instanceId}?</h2>
      <p>The machine dies at once. Nothing is drained: its pods are lost, and no hook waits.</p>
      <div class="buttons">
        <button type="button" onClick={onKeep}>
          Keep it
        </button>
        <button
          type="button"
          class="danger"
          onClick={() => {
            if (question !== undefined) onKill(question.instanceId);
          }}
        >
          Kill it
        </button>
      </div>
    </dialog>
  );
}
