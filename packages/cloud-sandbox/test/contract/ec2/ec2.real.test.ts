import { DescribeInstanceTypesCommand, EC2Client } from '@aws-sdk/client-ec2';
import { describe, expect, test } from 'vitest';
import { clientOptions, moto, running } from '../../../real/emulators/emulators.ts';
import { describeInstanceTypes } from '../../../src/aws/ec2/instance-types.ts';
import { contract } from '../../../truth/contract.ts';
import { anyImage } from '../support/any-image.ts';
import { ec2Cases } from './cases.ts';

/** Where moto does otherwise than AWS documents, and the sandbox sides with AWS. */
const differs: ReadonlyMap<string, string> = new Map([
  ['every id that nobody has is named in one answer', 'it names the last of them'],
  ['an id that cannot be one is malformed', 'it says that it was not found'],
  ['a page has 5 to 1,000 instances', 'it takes any number'],
  ['a value of a filter may have * for any and ? for one character', 'it takes them literally'],
  ['a filter that EC2 does not have is refused', 'it fails with a page of HTML'],
  ['a terminated instance has given its address back', 'it keeps it'],
  ['what is terminated can be neither started nor stopped', 'it starts it'],
  ['nothing is launched of a type that does not exist', 'it launches it'],
  ['without tags all of a resource go', 'it deletes none'],
  ['keys that begin with aws: are AWS’s own', 'it takes them'],
  ['an instance that is not there takes no tags', 'it takes them'],
  ['a version takes from its source what it does not say', 'it does not look at the source'],
  ['a launch template that is not there is named so, by id', 'it answers nothing found'],
  ['an id that cannot be one of a launch template is malformed', 'it answers nothing found'],
  ['a deleted launch template launches nothing more', 'it fails with a page of HTML'],
]);

const start = running(moto);

const image = anyImage();
contract({
  area: 'EC2',
  world: moto.name,
  cases: ec2Cases,
  open: async () => {
    const server = await start();
    const client = new EC2Client(clientOptions(server));
    return {
      client,
      imageId: await image(client),
      // Everything that moto does is done at once.
      pass: async () => undefined,
    };
  },
  differs,
  missing: moto.missing,
});

describe.skipIf(moto.missing !== undefined)('Types of instances', () => {
  const behaviour = 'every type of the sandbox has the figures that AWS gives';
  test(behaviour, { meta: { claim: { area: 'EC2', behaviour, world: moto.name } } }, async () => {
    const client = new EC2Client(clientOptions(await start()));
    let seen = 0;
    let NextToken: string | undefined;
    do {
      const simulated = describeInstanceTypes({ NextToken });
      const types = simulated.InstanceTypes ?? [];
      const command = new DescribeInstanceTypesCommand({
        InstanceTypes: types.flatMap(({ InstanceType }) => InstanceType ?? []),
      });
      const { InstanceTypes: real = [] } = await client.send(command);
      for (const type of types)
        expect(real.find(({ InstanceType }) => InstanceType === type.InstanceType)).toMatchObject(
          // A member that is undefined here is absent on the wire: bare metal has no hypervisor.
          JSON.parse(JSON.stringify(type)),
        );
      seen += types.length;
      NextToken = simulated.NextToken;
    } while (NextToken !== undefined);
    expect(seen).toBeGreaterThan(1000);
  });
});
