import { expect, test } from 'vitest';
import type { AwsHttpRequest, AwsHttpResponse } from '../../../src/aws/codec/http.ts';
import { findOperation, type Operation } from '../../../src/aws/codec/operation.ts';
import type { ServiceModel } from '../../../src/aws/codec/protocol.ts';
import { protocols } from '../../../src/aws/codec/protocols.ts';
import { serviceModels } from '../../../src/aws/front/models.ts';
import { AwsError } from '../../../src/aws/service.ts';
import { sha256Hex } from '../../../src/aws/signature/canonical.ts';
import type { Claim } from '../../../truth/claim.ts';
import type { WireExample } from './example.ts';
import { autoScalingExamples } from './examples/auto-scaling.ts';
import { autoScalingChanges } from './examples/auto-scaling-changes.ts';
import { ec2Examples } from './examples/ec2.ts';
import { sqsExamples, ssmExamples } from './examples/json.ts';
import { route53Examples } from './examples/route53.ts';
import { s3Examples } from './examples/s3.ts';
import { stsExamples } from './examples/sts.ts';
import { readRequest, readResponse } from './http-text.ts';
import { readBySdk } from './recorded.ts';
import { refusals } from './refusals.ts';
import { expectSameAnswer } from './same.ts';

const area = 'AWS on the wire';
const world = 'documented examples';

const examples: readonly WireExample[] = [
  ...autoScalingExamples,
  ...autoScalingChanges,
  ...ec2Examples,
  ...route53Examples,
  ...sqsExamples,
  ...ssmExamples,
  ...s3Examples,
  ...stsExamples,
];

function modelOf({ service, operation: name }: Pick<WireExample, 'service' | 'operation'>) {
  const model: ServiceModel | undefined = serviceModels[service];
  const operation: Operation | undefined = model && findOperation(model.client, name);
  if (!model || !operation) throw new Error(`AWS has no ${service}:${name}`);
  return { model, operation, protocol: protocols[model.protocol] };
}

const claimOf = (behaviour: string): { claim: Claim } => ({ claim: { area, world, behaviour } });

for (const example of examples) {
  const behaviour = `${example.service} ${example.operation}${example.variant ?? ''}: the sandbox reads and writes it`;
  test(behaviour, { meta: claimOf(behaviour) }, async () => {
    checkRequest(example);
    if (example.response !== undefined) await checkResponse(example, readResponse(example.response));
  });
}

/** The sandbox reads the documented request as the SDK's input. */
function checkRequest(example: WireExample): void {
  const { model, operation, protocol } = modelOf(example);
  const request = signedAlike(readRequest(example.request));
  expect(protocol.operationName(request, model)).toBe(example.operation);
  expect(protocol.decode(request, operation)).toEqual(example.input);
}

/** What the SDK reads in the documented response, the sandbox writes as documented. */
async function checkResponse(example: WireExample, response: AwsHttpResponse): Promise<void> {
  const { model, operation, protocol } = modelOf(example);
  const output = await readBySdk(model, example, response);
  const request = signedAlike(readRequest(example.request));
  await expectSameAnswer(
    protocol.encode({ model, request, requestId: 'of-the-sandbox', operation, output }),
    response,
  );
}

/** S3 has the hash of the body in a header, which no page shows. */
const signedAlike = (request: AwsHttpRequest): AwsHttpRequest => ({
  ...request,
  headers: { ...request.headers, 'x-amz-content-sha256': sha256Hex(request.body) },
});

for (const [kind, refusal] of Object.entries(refusals)) {
  const response = readResponse(refusal.response);
  const known = `a refusal ${kind}: the SDK knows it`;
  test(known, { meta: claimOf(known) }, async () => {
    const { name, message, statusCode: httpStatusCode } = refusal.error;
    const { model } = modelOf(refusal);
    await expect(readBySdk(model, refusal, response)).rejects.toMatchObject({
      name,
      message,
      $metadata: { httpStatusCode },
    });
  });

  if (refusal.notOfTheSandbox !== undefined) continue;
  const written = `a refusal ${kind}: the sandbox writes it`;
  test(written, { meta: claimOf(written) }, async () => {
    const { model, protocol } = modelOf(refusal);
    const { name: code, message, statusCode } = refusal.error;
    const request = { method: 'POST', path: '/', query: [], headers: {}, body: new Uint8Array() };
    const error = new AwsError({ code, message, statusCode });
    await expectSameAnswer(
      protocol.encodeError({ model, request, requestId: 'of-the-sandbox', error }),
      response,
    );
  });
}
