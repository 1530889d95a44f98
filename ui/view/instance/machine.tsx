import type { InstanceView } from '../../state/types.ts';

/** The machine of an instance in a line. */
export const Machine = ({
  instance: { availabilityZone, instanceType, market, ec2State, healthy },
  groupName,
}: {
  readonly instance: InstanceView;
  readonly groupName: string;
}) => (
  <p class="facts">
    <span class="quiet">
      {[groupName, availabilityZone, instanceType, market].filter((fact) => fact !== undefined).join(' · ')}
    </span>
    {ec2State !== undefined && ec2State !== 'running' && (
      <Mark tone={ec2State === 'pending' ? 'new' : 'bad'} word={ec2State} />
    )}
    {!healthy && <Mark tone="bad" word="Unhealthy" />}
  </p>
);

export const Mark = ({
  tone,
  word,
}: {
  readonly tone: 'good' | 'new' | 'warn' | 'bad';
  readonly word: string;
}) => (
  <span class="mark" data-tone={tone}>
    {word}
  </span>
);
