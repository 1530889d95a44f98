import type { _InstanceType } from '@aws-sdk/client-ec2';
import { contract } from '../../../truth/contract.ts';
import { accountWorld, openAccount } from '../support/account.ts';
import { recordEvents } from '../support/record-events.ts';
import { autoScalingCases } from './cases.ts';

recordEvents();

contract({
  ...accountWorld,
  area: 'Auto Scaling',
  cases: autoScalingCases,
  open: (signal) => {
    const account = openAccount(signal);
    const { autoscaling: client, ec2, elasticloadbalancing: elb } = account.clients;
    return { ...account, client, ec2, elb, instanceType: account.instanceType as _InstanceType };
  },
  close: ({ close }) => close(),
  notApplicable: new Map([
    [
      'the account setting launchBeforeTerminate is disabled until it is put, and takes no other value',
      'it would change a setting of the account for everyone, and a run that is cut off would leave it',
    ],
  ]),
});
