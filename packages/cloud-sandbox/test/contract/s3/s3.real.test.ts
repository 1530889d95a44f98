import { S3Client } from '@aws-sdk/client-s3';
import { clientOptions, type Emulator, miniStack, moto, running } from '../../../real/emulators/emulators.ts';
import { contract } from '../../../truth/contract.ts';
import { s3Cases } from './cases.ts';

/**
 * Where the emulators do otherwise than AWS documents, and the sandbox sides with AWS. Each is expected to fail, so that a
 * version that changes its manners is noticed.
 */
const differs: ReadonlyMap<Emulator, ReadonlyMap<string, string>> = new Map([
  [
    miniStack,
    new Map([
      ['parts in the wrong order are refused', 'it puts them together'],
      ['a part that is too small is refused unless it is the last', 'it has no such limit'],
    ]),
  ],
  [
    moto,
    new Map([
      [
        'the checksum of a multipart object is the hash of the part hashes',
        'it leaves out the number of parts',
      ],
      ['a part with a wrong hash is refused', 'it does not look at the hash'],
      ['parts in the wrong order are refused', 'it puts them together'],
    ]),
  ],
]);

for (const emulator of [miniStack, moto]) {
  const start = running(emulator);
  contract({
    area: 'S3',
    world: emulator.name,
    cases: s3Cases,
    open: async () => ({ client: new S3Client({ ...clientOptions(await start()), forcePathStyle: true }) }),
    differs: differs.get(emulator),
    missing: emulator.missing,
  });
}
