import type { CallDescription } from '../../../../local/aws/front/describe-call.ts';
import type { Fault } from '../../../../local/aws/front/in-process.ts';
import { createS3 } from '../../../../local/aws/s3/s3.ts';
import { createRandom } from '../../../../local/simulation/random.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { accountId, createTestFront, region } from '../support/test-front.ts';

export const bucket = 'snapshots';

/** A simulated S3 with one bucket, behind a front that knows one user. */
export function createS3Bench(onCall?: (call: CallDescription) => Fault) {
  const clock = createManualClock();
  const s3 = createS3({ clock, random: createRandom(3), accountId, region });
  s3.operations.CreateBucket({ Bucket: bucket });
  const front = createTestFront({ services: [s3], clock, ...(onCall && { onCall }) });
  return { clock, s3, ...front };
}
