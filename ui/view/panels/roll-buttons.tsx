import { useContext } from 'preact/hooks';
import { Doings } from '../../parts/doing.ts';
import type { RollDeed } from '../../state/rolls.ts';

/** What a reader of the sandbox can ask of a roll. The one that cannot be taken back asks for confirmation. */
export function RollButtons({ name, deeds }: { readonly name: string; readonly deeds: readonly RollDeed[] }) {
  const { act, confirm } = useContext(Doings);
  if (deeds.length === 0) return null;
  const press = (deed: RollDeed): void => {
    const action = { action: 'roll', name, deed } as const;
    if (deed !== 'abort') return act(action);
    confirm({
      title: `Abort ${name}?`,
      text: 'It replaces no further node and cannot be resumed. A node that already leaves goes on.',
      keep: 'Keep it',
      deed: 'Abort it',
      action,
    });
  };
  return (
    <div class="buttons">
      {deeds.map((deed) => (
        <button key={deed} type="button" class={deed} title={titles[deed]} onClick={() => press(deed)}>
          {words[deed]}
          <span class="visually-hidden"> {name}</span>
        </button>
      ))}
    </div>
  );
}

const words = { pause: 'Pause', resume: 'Resume', abort: 'Abort…' } as const satisfies Record<
  RollDeed,
  string
>;

const titles = {
  pause: 'Replaces no further node until it is resumed',
  resume: 'Goes on within a minute',
  abort: 'Ends the roll, and removes its taints and marks',
} as const satisfies Record<RollDeed, string>;
