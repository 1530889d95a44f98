import { useLayoutEffect, useRef } from 'preact/hooks';
import { focusPageIfLost } from '../keep-focus.ts';

/** Asks before an instance is killed. Escape and the first button keep it. */
export function KillDialog({
  instanceId,
  onKill,
  onKeep,
}: {
  readonly instanceId: string | undefined;
  readonly onKill: (instanceId: string) => void;
  readonly onKeep: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    if (instanceId === undefined) dialog.current?.close();
    else dialog.current?.showModal();
  }, [instanceId]);
  const onClose = (): void => {
    onKeep();
    focusPageIfLost();
  };
  return (
    <dialog ref={dialog} class="confirm" aria-labelledby="kill-title" onClose={onClose}>
      <h2 id="kill-title">Kill {instanceId}?</h2>
      <p>The machine dies at once. Nothing is drained: its pods are lost, and no hook waits.</p>
      <div class="buttons">
        <button type="button" onClick={onKeep}>
          Keep it
        </button>
        <button
          type="button"
          class="danger"
          onClick={() => {
            if (instanceId !== undefined) onKill(instanceId);
          }}
        >
          Kill it
        </button>
      </div>
    </dialog>
  );
}
