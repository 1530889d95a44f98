import { DescribeInstanceTypesCommand, EC2Client } from '@aws-sdk/client-ec2';
import { describe, expect, test } from 'vitest';
import { clientOptions, moto, running } from '../../../real/emulators/emulators.ts';
import { describeInstanceTypes } from '../../../src/aws/ec2/instance-types.ts';
import { contract } from '../../../truth/contract.ts';
import { anyImage } from '../support/any-image.ts';
import { ec2Cases } from './cases.ts';

/** Where moto does otherwise than AWS documents, and the sandbox sides with AWS. */
const differs: ReadonlyMap<string, string> = new Map([
  ['all unknown instance ids are named in one error', 'it names the last of them'],
  ['an instance id with a wrong format is malformed', 'it says that it was not found'],
  ['a page has 5 to 1,000 instances', 'it takes any number'],
  ['a filter value can contain the wildcards * and ?', 'it takes them literally'],
  ['an unknown filter is refused', 'it fails with a page of HTML'],
  ['a terminated instance has no address', 'it keeps it'],
  ['a terminated instance can be neither started nor stopped', 'it starts it'],
  ['an instance of an unknown type cannot be launched', 'it launches it'],
  ['deleting tags without naming any deletes all of them', 'it deletes none'],
  ['tag keys that begin with aws: are reserved', 'it takes them'],
  ['a missing instance cannot be tagged', 'it takes them'],
  ['a version inherits the settings that it omits from its source version', 'it does not look at the source'],
  ['a missing launch template is refused by id', 'it answers nothing found'],
  ['a launch template id with a wrong format is malformed', 'it answers nothing found'],
  ['a deleted launch template cannot launch instances', 'it fails with a page of HTML'],
  ['a launch template is created once for a client token', 'it refuses the name that is taken'],
  ['a version of a launch template is created once for a client token', 'it makes another one'],
  ['a client token of a request that failed may be used again', 'it does not look at the source'],
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
