import { S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll } from 'vitest';
import { createS3 } from '../../../src/aws/s3/s3.ts';
import { startAwsServer } from '../../../src/aws/wire/server.ts';
import { createRandom } from '../../../src/simulation/random.ts';
import type { HttpDoor } from '../../../src/wire/http-door.ts';
import { contract } from '../../../truth/contract.ts';
import { createManualClock } from '../../aws/support/manual-clock.ts';
import { accountId, createTestFront, credentials, region } from '../../aws/support/test-front.ts';
import { s3Cases } from './cases.ts';

const clock = createManualClock();
const s3 = createS3({ clock, random: createRandom(5), accountId, region });
const { front } = createTestFront({ services: [s3], clock });
let door: HttpDoor | undefined;
beforeAll(async () => {
  door = await startAwsServer({ front, port: 0, onFault: (error) => console.error(error) });
});
afterAll(() => door?.close());

/** Over the wire, as others are: the client of the SDK reads streams. */
contract({
  area: 'S3',
  world: 'sandbox',
  cases: s3Cases,
  open: () => {
    if (!door) throw new Error('the endpoint is closed');
    const endpoint = door.url;
    return {
      client: new S3Client({ endpoint, region, credentials, forcePathStyle: true, maxAttempts: 1 }),
    };
  },
});
