import type { _InstanceType } from '@aws-sdk/client-ec2';
import type { VPCRegion } from '@aws-sdk/client-route-53';
import { shapeOf } from '../../../real/account/answers.ts';
import { autoScalingCases } from '../auto-scaling/cases.ts';
import { autoScalingEventCases } from '../auto-scaling-events/cases.ts';
import type { ReceivedEvent } from '../auto-scaling-events/inbox.ts';
import { etcdGroupsCases } from '../etcd-groups/cases.ts';
import { route53Cases } from '../route53/cases.ts';
import { schedulerCases } from '../scheduler/cases.ts';
import { sqsCases } from '../sqs/cases.ts';
import { fifoCases } from '../sqs/fifo-cases.ts';
import { openFifo } from '../sqs/open-fifo.ts';
import { ssmCases } from '../ssm/cases.ts';
import type { OpenAccount } from './account.ts';
import { accountArea } from './account-area.ts';
import { openScheduler } from './open-scheduler.ts';

const groupsIn = (account: OpenAccount) => {
  const { autoscaling: client, ec2, elasticloadbalancing: elb, events, sqs } = account.clients;
  return { ...account, client, ec2, elb, events, sqs, instanceType: account.instanceType as _InstanceType };
};

export const autoScalingArea = accountArea({
  area: 'Auto Scaling',
  cases: autoScalingCases,
  open: groupsIn,
  isClosed: true,
  notApplicable: new Map([
    [
      'the account setting launchBeforeTerminate is disabled until it is put, and takes no other value',
      'it would change a setting of the account for everyone, and a run that is cut off would leave it',
    ],
  ]),
});

const withEvents = (account: OpenAccount) => ({
  ...groupsIn(account),
  onEvent: (event: ReceivedEvent): void =>
    account.record({ service: event.source, operation: event['detail-type'], shape: shapeOf(event) }),
});

const vpcOf = ({ vpcId, region }: OpenAccount) => ({ VPCId: vpcId, VPCRegion: region as VPCRegion });

export const etcdGroupsArea = accountArea({
  area: 'etcd groups',
  cases: etcdGroupsCases,
  open: (account) => ({
    ...withEvents(account),
    route53: account.clients.route53,
    vpc: vpcOf(account),
  }),
  isClosed: true,
});

export const autoScalingEventsArea = accountArea({
  area: 'Events of Auto Scaling',
  cases: autoScalingEventCases,
  open: withEvents,
  isClosed: true,
});

export const route53Area = accountArea({
  area: 'Route 53',
  cases: route53Cases,
  open: (account) => ({ client: account.clients.route53, vpc: vpcOf(account), pass: account.pass }),
  // A VPC has one private zone of a name.
  isClosed: true,
});

export const schedulerArea = accountArea({
  area: 'EventBridge Scheduler',
  cases: schedulerCases,
  open: openScheduler,
  notApplicable: new Map([
    [
      'a name has at most 64 letters, digits and -_.',
      'a run makes no schedule whose name does not begin with its prefix',
    ],
  ]),
});

export const sqsArea = accountArea({
  area: 'SQS standard queues',
  cases: sqsCases,
  open: ({ clients, pass }) => ({ client: clients.sqs, pass }),
  notApplicable: new Map([
    [
      'a name has at most 80 letters, digits, - and _',
      'a run makes no queue whose name does not begin with its prefix',
    ],
  ]),
});

export const fifoArea = accountArea({
  area: 'SQS FIFO queues',
  cases: fifoCases,
  open: ({ clients, pass }) => ({ queue: (attributes) => openFifo(clients.sqs, attributes), pass }),
});

export const ssmArea = accountArea({
  area: 'Parameter Store',
  cases: ssmCases,
  open: ({ clients }) => ({ client: clients.ssm }),
  withoutFixture: ['a name without a slash lies directly under the root'],
  notApplicable: new Map([
    [
      'a SecureString shows its KMS key',
      'a run makes no KMS key: one costs a dollar, and is deleted after a week',
    ],
    [
      'a name does not begin with aws or ssm, in any case',
      'a run makes no parameter whose name does not begin with its prefix',
    ],
  ]),
});

/** What has fixtures. */
export const accountAreas = [
  autoScalingArea,
  autoScalingEventsArea,
  etcdGroupsArea,
  route53Area,
  schedulerArea,
  sqsArea,
  fifoArea,
  ssmArea,
] as const;
