import type { Placed } from '../../state/condition.ts';
import { type Steps, stepsOfJoining, stepsOfLeaving } from '../../state/steps.ts';

/** The steps of a leave or a join, and the one that the instance is at. */
export function Progress({ instance, group, condition }: Placed) {
  if (condition === 'leaving')
    return <StepList steps={stepsOfLeaving(instance, group)} label="Steps of leaving" />;
  if (condition === 'joining')
    return <StepList steps={stepsOfJoining(instance, group)} label="Steps of joining" />;
  return null;
}

const StepList = ({ steps, label }: { readonly steps: Steps | undefined; readonly label: string }) =>
  steps === undefined ? null : (
    <ol class="steps" aria-label={label}>
      {steps.names.map((name, index) => (
        <li
          key={name}
          data-step={index < steps.at ? 'done' : index === steps.at ? 'now' : 'next'}
          aria-current={index === steps.at ? 'step' : undefined}
        >
          {name}
        </li>
      ))}
    </ol>
  );
