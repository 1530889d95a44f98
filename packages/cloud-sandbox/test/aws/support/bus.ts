import { createEvents } from '../../../src/aws/events/events.ts';
import type { Sender } from '../../../src/aws/integration.ts';
import type { AwsError } from '../../../src/aws/service.ts';
import { createRandom } from '../../../src/simulation/random.ts';
import { createVirtualClock } from '../../../src/simulation/virtual-clock.ts';
import { advanceClock } from './cloud.ts';

export const inbox = 'arn:aws:sqs:eu-west-1:123456789012:inbox';

/** A bus with a rule for EC2, what it has delivered, and the targets that fail. */
export function createBus() {
  const clock = createVirtualClock();
  const delivered: {
    readonly targetArn: string;
    readonly body: string;
    readonly group?: string | undefined;
    readonly attributes?: Readonly<Record<string, string>> | undefined;
    readonly sender: Sender;
  }[] = [];
  const failures = new Map<string, AwsError>();
  const events = createEvents({
    clock,
    random: createRandom(1),
    accountId: '123456789012',
    region: 'eu-west-1',
    deliver: (targetArn, body, options) => {
      const failure = failures.get(targetArn);
      if (failure !== undefined) throw failure;
      const { messageGroupId: group, attributes, sender } = options;
      delivered.push({ targetArn, body, group, attributes, sender });
    },
  });
  const { operations } = events;
  operations.PutRule({ Name: 'instances', EventPattern: '{"source": ["aws.ec2"]}' });
  const putTarget = (target = {}): unknown =>
    operations.PutTargets({ Rule: 'instances', Targets: [{ Id: 'inbox', Arn: inbox, ...target }] });
  const put = (detail = {}): void =>
    events.putAwsEvent({ source: 'aws.ec2', detailType: 'State', resources: ['arn:x'], detail });
  const advance = (seconds: number): void => advanceClock(clock, seconds);
  return { events, operations, delivered, failures, putTarget, put, advance };
}
