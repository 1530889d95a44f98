import { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { EC2Client } from '@aws-sdk/client-ec2';
import { ElasticLoadBalancingV2Client } from '@aws-sdk/client-elastic-load-balancing-v2';
import { clientOptions, moto, running } from '../../../real/emulators/emulators.ts';
import { contract } from '../../../truth/contract.ts';
import { anyImage } from '../support/any-image.ts';
import { autoScalingCases } from './cases.ts';
import { autoScalingWaitCases } from './wait-cases.ts';

/** Where moto differs from AWS's documentation; the sandbox follows the documentation. */
const differs: ReadonlyMap<string, string> = new Map([
  ['the name of a group is unique', 'it takes it twice'],
  ['the launch template of a group must exist', 'it answers with the error of EC2'],
  ['a group with instances can be deleted only with ForceDelete', 'it deletes it'],
  ['an unknown filter is refused', 'it does not look at it'],
  ['an unknown page token is refused', 'it fails with a page of HTML'],
  ['tags can be filtered by propagate-at-launch', 'it finds none'],
  ['a missing group cannot be tagged', 'it fails with a page of HTML'],
  ['a group has 50 tags at most', 'it has no limit'],
  ['a desired capacity outside the minimum and maximum is refused', 'it takes it'],
  ['the capacity of a missing group cannot be set', 'it fails with a page of HTML'],
  ['a minimum above the maximum is refused', 'it takes them'],
  ['a termination without replacement below the minimum is refused', 'it terminates it'],
  ['an instance outside groups cannot be terminated through Auto Scaling', 'it fails with a page of HTML'],
  ['an instance that is set to Unhealthy is replaced', 'it keeps it'],
  ['a group lists its scaling activities', 'it reports no activity'],
  ['the global timeout is a hundred heartbeat timeouts, at most two days', 'it is always two days'],
  ['an update of a hook keeps the settings that it omits', 'it forgets the rest'],
  ['a group can be created with hooks', 'it does not look at them'],
  ['a missing hook cannot be deleted', 'it says nothing'],
  ['hooks of a missing group are refused', 'it keeps hooks of any name'],
  ['a heartbeat timeout is from 30 to 7,200 seconds', 'it takes any number'],
  ['a default result is CONTINUE or ABANDON', 'it takes any word'],
  ['a lifecycle transition is launching or terminating', 'it takes any word'],
  ['the name of a hook has letters, digits, -, _ and /', 'it takes any'],
  ['a new hook needs a transition', 'it makes one without'],
  [
    'a group shows its instance maintenance policy until both percentages are set to -1',
    'it shows no policy',
  ],
  ['an instance maintenance policy outside its ranges is refused', 'it takes any number'],
  ['an instance maintenance policy needs both percentages', 'it takes one'],
  ['a maximum instance lifetime is 0 or at least a day', 'it shows none'],
  [
    'a group that launches before it terminates keeps an unhealthy instance until another serves',
    'it never replaces the instance',
  ],
  [
    'the replacement of a terminated instance is in service while the instance waits on its hook',
    'it has no wait states: the instance is gone at once',
  ],
  [
    'a terminating instance is deregistered from the target groups before it waits on its hook',
    'it has no wait states, and leaves the instance in its target group',
  ],
  ['one request terminates several instances of a group', 'it fails with a page of HTML'],
  [
    'the account setting launchBeforeTerminate is disabled until it is put, and takes no other value',
    'it fails with a page of HTML',
  ],
  ...Object.keys(autoScalingWaitCases).map((sentence) => [sentence, 'it has no wait states'] as const),
  ...[
    'an instance refresh replaces all instances and ends as Successful',
    'a group has one active instance refresh at a time',
    'a cancelled instance refresh ends as Cancelled, and none is left to cancel',
    'a group has the desired configuration once its instance refresh is successful, and keeps its own until then',
  ].map((sentence) => [sentence, 'it has no instance refresh, and fails with a page of HTML'] as const),
]);

const start = running(moto);
const image = anyImage();
contract({
  area: 'Auto Scaling',
  world: moto.name,
  cases: autoScalingCases,
  open: async () => {
    const server = await start();
    const options = clientOptions(server);
    const ec2 = new EC2Client(options);
    return {
      client: new AutoScalingClient(options),
      ec2,
      elb: new ElasticLoadBalancingV2Client(options),
      imageId: await image(ec2),
      // Everything that moto does is done at once.
      pass: async () => undefined,
    };
  },
  differs,
  missing: moto.missing,
});
