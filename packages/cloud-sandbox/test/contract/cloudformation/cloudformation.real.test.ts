import { setTimeout as sleep } from 'node:timers/promises';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { SQSClient } from '@aws-sdk/client-sqs';
import { SSMClient } from '@aws-sdk/client-ssm';
import { clientOptions, type Emulator, miniStack, moto, running } from '../../../real/emulators/emulators.ts';
import { contract } from '../../../truth/contract.ts';
import { cloudFormationCases } from './cases.ts';

/** Where an emulator does otherwise than AWS documents, and the sandbox sides with AWS. */
const worlds: readonly (readonly [Emulator, ReadonlyMap<string, string>])[] = [
  [miniStack, new Map()],
  [
    moto,
    new Map([
      [
        'a deleted stack takes its resources along, except those that its template retains',
        'it knows Retain, and not RetainExceptOnCreate',
      ],
      ['a type that does not exist is refused before anything is made', 'it passes over it'],
    ]),
  ],
];

for (const [emulator, differs] of worlds) {
  const start = running(emulator);
  contract({
    area: 'CloudFormation',
    world: emulator.name,
    cases: cloudFormationCases,
    open: async () => {
      const options = clientOptions(await start());
      return {
        client: new CloudFormationClient(options),
        sqs: new SQSClient(options),
        ssm: new SSMClient(options),
        pass: (seconds) => sleep(seconds * 20),
      };
    },
    differs,
    missing: emulator.missing,
  });
}
