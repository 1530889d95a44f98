import { Readable } from 'node:stream';
import { S3Client } from '@aws-sdk/client-s3';
import { clientSettings } from './client-settings.ts';
import type { AwsConnection, AwsRequestHandler } from './connection.ts';
import { traced } from './traced.ts';

/**
 * The SDK's client of S3 on a connection. It takes the checksums that Drover computes and adds none. At an endpoint of one's own the bucket
 * is in the path.
 */
export function s3Client(connection: AwsConnection): S3Client {
  const settings = clientSettings(connection, 'S3');
  return traced(
    connection,
    new S3Client({
      ...settings,
      requestHandler: answeringStreams(settings.requestHandler),
      forcePathStyle: 'endpoint' in settings,
      useArnRegion: false,
      disableS3ExpressSessionAuth: true,
      expectContinueHeader: false,
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    }),
  );
}

/** The SDK reads an object from a stream only. */
const answeringStreams = (handler: AwsRequestHandler): AwsRequestHandler => ({
  ...handler,
  handle: async (request, options) => {
    const { response } = await handler.handle(request, options);
    const { body } = response;
    return { response: { ...response, body: body instanceof Uint8Array ? Readable.from([body]) : body } };
  },
});
