import { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { EC2Client } from '@aws-sdk/client-ec2';
import { clientOptions, moto, running } from '../../../real/emulators/emulators.ts';
import { contract } from '../../../truth/contract.ts';
import { anyImage } from '../support/any-image.ts';
import { autoScalingCases } from './cases.ts';

/** Where moto does otherwise than AWS documents, and the sandbox sides with AWS. */
const differs: ReadonlyMap<string, string> = new Map([
  ['a name is given once', 'it takes it twice'],
  ['a launch template must be there', 'it answers with the error of EC2'],
  ['a group with instances goes only by force', 'it deletes it'],
  ['a filter that is none is refused', 'it does not look at it'],
  ['a token that nobody gave is refused', 'it fails with a page of HTML'],
  ['tags are described by whether instances get them', 'it finds none'],
  ['a group that is not there takes no tag', 'it fails with a page of HTML'],
  ['a group has 50 tags at most', 'it has no limit'],
  ['a desired capacity outside of the bounds is refused', 'it takes it'],
  ['a group that is not there has no capacity to set', 'it fails with a page of HTML'],
  ['bounds that cross are refused', 'it takes them'],
  [
    'no instance is terminated without replacement where that leaves fewer than the minimum',
    'it terminates it',
  ],
  ['an instance of no group is not terminated', 'it fails with a page of HTML'],
  ['an instance that is called unhealthy is replaced', 'it keeps it'],
  ['a group tells what it did', 'it tells of no activity'],
  ['the global timeout is a hundred heartbeats, at most two days', 'it is always two days'],
  ['a hook that is put again keeps what the call does not say', 'it forgets the rest'],
  ['hooks come with a new group', 'it does not look at them'],
  ['a hook that is not there does not go', 'it says nothing'],
  ['a group that is not there has no hooks', 'it keeps hooks of any name'],
  ['a heartbeat is from 30 to 7,200 seconds', 'it takes any number'],
  ['a result is CONTINUE or ABANDON', 'it takes any word'],
  ['a transition is launching or terminating', 'it takes any word'],
  ['a name of a hook has letters, digits, -, _ and /', 'it takes any'],
  ['a new hook needs a transition', 'it makes one without'],
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
      imageId: await image(ec2),
      // Everything that moto does is done at once.
      pass: async () => undefined,
    };
  },
  differs,
  missing: moto.missing,
});
