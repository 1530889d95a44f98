import { Readable } from 'node:stream';
import { S3Client } from '@aws-sdk/client-s3';
import { HttpResponse } from '@smithy/core/transport';
import type { CallDescription } from '../../../src/aws/front/describe-call.ts';
import type { Fault } from '../../../src/aws/front/in-process.ts';
import type { AwsRequestHandler } from '../../../src/aws/front/request-handler.ts';
import { createS3 } from '../../../src/aws/s3/s3.ts';
import { createRandom } from '../../../src/simulation/random.ts';
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

/** The SDK reads the answers of S3 from a stream. */
const streaming = ({ handle, ...rest }: AwsRequestHandler) => ({
  ...rest,
  handle: async (...args: Parameters<AwsRequestHandler['handle']>) => {
    const { response } = await handle(...args);
    const { statusCode, headers, body = '' } = response;
    return {
      response: new HttpResponse({
        statusCode,
        headers: { ...headers },
        body: Readable.from([body]),
      }),
    };
  },
});

/** The SDK's own client against the simulation. */
export const s3Client = (
  clientOptions: ReturnType<typeof createS3Bench>['clientOptions'],
  options: object = {},
): S3Client =>
  new S3Client({
    ...clientOptions,
    requestHandler: streaming(clientOptions.requestHandler),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    ...options,
  });
