import { useContext } from 'preact/hooks';
import { Doings } from '../../parts/doing.ts';
import type { InstanceView } from '../../state/types.ts';

/** The actions on an instance. The irreversible one is separate and asks for confirmation. */
export function Buttons({ instance }: { readonly instance: InstanceView }) {
  const { canAct, act, confirm } = useContext(Doings);
  const { instanceId, lifecycleState, market, ec2State } = instance;
  if (!canAct) return null;
  const leaves = lifecycleState.startsWith('Terminating');
  const gone = ec2State === 'shutting-down' || ec2State === 'terminated';
  return (
    <div class="buttons">
      <Button
        {...{ instanceId, word: 'Terminate', class: 'terminate', disabled: gone || leaves }}
        title="Auto Scaling terminates and replaces the instance; its hook waits for the drain"
        onPress={() => act({ action: 'terminate', instanceId })}
      />
      {market === 'spot' && (
        <Button
          {...{ instanceId, word: 'Interrupt', class: 'interrupt', disabled: ec2State !== 'running' }}
          title="EC2 warns that it takes the spot instance back in two minutes"
          onPress={() => act({ action: 'interrupt', instanceId })}
        />
      )}
      <Button
        {...{ instanceId, word: 'Kill…', class: 'kill', disabled: gone }}
        title="The machine dies at once: no warning, no hook"
        onPress={() =>
          confirm({
            title: `Kill ${instanceId}?`,
            text: 'The machine dies at once. Nothing is drained: its pods are lost, and no hook waits.',
            keep: 'Keep it',
            deed: 'Kill it',
            action: { action: 'kill', instanceId },
          })
        }
      />
    </div>
  );
}

interface ButtonProps {
  readonly instanceId: string;
  readonly word: string;
  readonly class: string;
  readonly title: string;
  readonly disabled: boolean;
  readonly onPress: () => void;
}

/** It stays focusable while it cannot be used, so that the focus is not lost. */
const Button = ({ instanceId, word, class: name, title, disabled, onPress }: ButtonProps) => (
  <button
    type="button"
    class={name}
    title={title}
    aria-disabled={disabled ? 'true' : undefined}
    onClick={() => {
      if (!disabled) onPress();
    }}
  >
    {word}
    <span class="visually-hidden"> {instanceId}</span>
  </button>
);
