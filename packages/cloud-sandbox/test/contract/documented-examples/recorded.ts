import { Readable } from 'node:stream';
import { HttpResponse } from '@smithy/core/transport';
import type { AwsHttpResponse } from '../../../src/aws/codec/http.ts';
import type { ServiceModel } from '../../../src/aws/codec/protocol.ts';
import { credentials, region } from '../../aws/support/test-front.ts';

/** As the SDK has it answered: by a stream. */
const streaming = ({ statusCode, headers, body }: AwsHttpResponse) => ({
  handle: () =>
    Promise.resolve({
      response: new HttpResponse({
        statusCode,
        headers: { ...headers },
        body: Readable.from([Buffer.from(body)]),
      }),
    }),
});

interface SdkClient {
  send(command: object): Promise<Readonly<Record<string, unknown>>>;
}

/** What the SDK, which AWS wrote, reads in a response; bytes as they are. */
export async function readBySdk(
  { client }: ServiceModel,
  { operation, input }: { readonly operation: string; readonly input: object },
  response: AwsHttpResponse,
): Promise<Readonly<Record<string, unknown>>> {
  const name = Object.keys(client).find((key) => /^[A-Z]\w*Client$/.test(key)) ?? '';
  const Client = client[name] as new (options: object) => SdkClient;
  const Command = client[`${operation}Command`] as new (input: object) => object;
  const requestHandler = streaming(response);
  const options = { region, credentials, requestHandler, maxAttempts: 1, useQueueUrlAsEndpoint: false };
  const { $metadata: _, ...output } = await new Client(options).send(new Command(input));
  return 'Body' in output ? { ...output, Body: Buffer.from(response.body) } : output;
}
