import { useLayoutEffect, useRef } from 'preact/hooks';
import { focusPageIfLost } from '../keep-focus.ts';
import type { Action, Question } from '../parts/doing.ts';

/** Asks before what cannot be taken back. Escape and the first button keep things as they are. */
export function ConfirmDialog({
  question,
  onConfirm,
  onKeep,
}: {
  readonly question: Question | undefined;
  readonly onConfirm: (action: Action) => void;
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
    <dialog ref={dialog} class="confirm" aria-labelledby="confirm-title" onClose={onClose}>
      <h2 id="confirm-title">{question?.title}</h2>
      <p>{question?.text}</p>
      <div class="buttons">
        <button type="button" onClick={onKeep}>
          {question?.keep}
        </button>
        <button
          type="button"
          class="danger"
          onClick={() => {
            if (question !== undefined) onConfirm(question.action);
          }}
        >
          {question?.deed}
        </button>
      </div>
    </dialog>
  );
}
