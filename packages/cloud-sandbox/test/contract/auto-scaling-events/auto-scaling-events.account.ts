import type { _InstanceType } from '@aws-sdk/client-ec2';
import { contract } from '../../../truth/contract.ts';
import { accountWorld, openAccount } from '../support/account.ts';
import { recordEvents } from '../support/record-events.ts';
import { autoScalingEventCases } from './cases.ts';

recordEvents();

contract({
  ...accountWorld,
  area: 'Events of Auto Scaling',
  cases: autoScalingEventCases,
  open: (signal) => {
    const account = openAccount(signal);
    const { autoscaling: client, ec2, events, sqs } = account.clients;
    return { ...account, client, ec2, events, sqs, instanceType: account.instanceType as _InstanceType };
  },
  close: ({ close }) => close(),
});
