import { HttpResponse } from '@smithy/core/transport';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Report } from '../../../cli/report/report-of.ts';
import { createDroverWorld, type DroverWorld, withWorkers } from '../../../local/world/drover-world.ts';
import { operatorOf } from '../operator.ts';

let world: DroverWorld;
let stage: string;

beforeAll(async () => {
  world = createDroverWorld();
  await withWorkers(world, { size: 1 });
  await world.timeline.pass(300);
  stage = /^drover-(.+)-sweep$/.exec(world.lambda.functionOf('sweep').functionName)?.[1] ?? '';
});

/** The log groups of these functions answer with an error of this code. */
function refusing(code: string, ...names: readonly string[]) {
  const { awsRequestHandler: simulated } = world.doors('operator');
  const refused = new Set(names.map((name) => `/aws/lambda/drover-${stage}-${name}`));
  const headers = { 'x-amzn-requestid': '1', 'content-type': 'application/x-amz-json-1.1' };
  const answer = {
    statusCode: 400,
    headers,
    body: Buffer.from(JSON.stringify({ __type: code, message: '' })),
  };
  return operatorOf(world, {
    awsRequestHandler: {
      ...simulated,
      handle: async (request, options) => {
        const isRead = request.headers['x-amz-target']?.endsWith('FilterLogEvents');
        const { body } = request;
        const asked = body instanceof Uint8Array ? new TextDecoder().decode(body) : '{}';
        return isRead && refused.has(JSON.parse(asked).logGroupName)
          ? { response: new HttpResponse(answer) }
          : await simulated.handle(request, options);
      },
    },
  });
}

async function reportWhere(code: string, ...names: readonly string[]) {
  const ran = await refusing(code, ...names)('report --since 5m --json');
  return { code: ran.code, report: JSON.parse(ran.out) as Report };
}

describe('drover report of a log that it lacks', () => {
  it.each(['sweep', 'token-webhook'])('does not know the refused calls without that of %s', async (name) => {
    const { code, report } = await reportWhere('AccessDeniedException', name);
    const reason = `the log of ${name} cannot be read: allow logs:FilterLogEvents on its log group`;
    expect([code, report.refusals]).toEqual([5, { kind: 'unknown', reason }]);
    expect(report).toMatchObject({ drains: { kind: 'known' }, covers: { missing: [reason] } });
  });

  it.each([
    ['node-leaving', 'drains'],
    ['node-joining', 'joins'],
    ['prewarm', 'holds'],
  ] as const)('names the log group of %s that does not exist, and exits with 5', async (name, part) => {
    const { code, report } = await reportWhere('ResourceNotFoundException', name);
    const reason = `there is no log of ${name}: create its log group /aws/lambda/drover-${stage}-${name} again`;
    expect(code).toBe(5);
    expect(report[part]).toEqual({ kind: 'unknown', reason });
    expect(report.refusals).toEqual({ kind: 'unknown', reason });
    expect(report.covers.missing).toContain(reason);
    const csv = await refusing('ResourceNotFoundException', name)('report --since 5m --csv');
    expect(csv).toMatchObject({ code: 5, err: expect.stringContaining(`${reason}\n`) });
  });

  it('takes no log of a function that a deployment may leave out for a lack', async () => {
    const { code, report } = await reportWhere('ResourceNotFoundException', 'bootstrap-credential', 'roll');
    expect(code).toBe(0);
    expect(report).toMatchObject({ refusals: { kind: 'known' }, covers: { missing: [] } });
  });
});
