import { createRealRuntime } from '@drover/cloud-sandbox/real/lambda/real-runtime.ts';
import { nodeTools, xrayReceiver } from '@drover/cloud-sandbox/real/programs.ts';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { loadDeployment } from '../../../local/deployment/load-deployment.ts';
import { ensurePackaged } from '../../../scripts/build/ensure-packaged.ts';
import { startEmbeddedSandbox } from '../../../scripts/invoke/embedded-sandbox.ts';
import { parentId, sampledHeader, traceId } from '../../support/xray.ts';
import { startReceiver } from './support/receiver.ts';

beforeAll(() => ensurePackaged({ bundles: 'fresh' }), 120_000);

const claim = (behaviour: string) => ({
  meta: {
    claim: {
      area: 'Documents for X-Ray',
      world: `aws-lambda-ric 4.0.2 with OpenTelemetry's awsxrayreceiver ${xrayReceiver.version}`,
      behaviour,
    },
  },
});

/** A packaged function in the runtime of AWS, which reaches a sandbox, and the receiver instead of the daemon. */
async function startTraced(name: string, daemon: string) {
  const wiring = await loadDeployment({ accountId: '123456789012', region: 'eu-west-1' });
  const sandbox = await startEmbeddedSandbox(wiring, 'drover');
  const lines: string[] = [];
  const runtime = createRealRuntime({
    environmentFor: (one) => ({
      ...sandbox.environmentFor(one),
      DROVER_TRACING: 'on',
      AWS_XRAY_DAEMON_ADDRESS: daemon,
    }),
    onLine: (_, line) => void lines.push(line),
  });
  onTestFinished(async () => {
    await runtime.close();
    await sandbox.close();
  });
  const found = wiring.functions.find((one) => one.name === name);
  if (!found) throw new RangeError(`there is no function ${name}`);
  const environment = await runtime.start(found);
  const invoke = (traceHeader: string): Promise<string> =>
    environment.invoke({ requestId: 'one', payload: '{}', deadline: Date.now() + 20_000, traceHeader });
  return { invoke, lines };
}

const everyCall =
  'a packaged function sends its calls, and names the trace in its log lines, while X-Ray samples it';
test.skipIf(!nodeTools.isInstalled || !xrayReceiver.isInstalled)(
  everyCall,
  { ...claim(everyCall), timeout: 60_000 },
  async () => {
    const receiver = await startReceiver();
    onTestFinished(() => receiver.stop());
    const { invoke, lines } = await startTraced('prewarm', receiver.address);
    const unsampled = await invoke(sampledHeader.replace('Sampled=1', 'Sampled=0'));
    const before = lines.length;
    const answer = await invoke(sampledHeader);
    expect(answer).toBe(unsampled);
    await expect
      .poll(() => receiver.taken().map(({ name, operation }) => `${name} ${operation}`))
      .toEqual(expect.arrayContaining(['SSM GetParametersByPath', 'Scheduler ListSchedules']));
    for (const shown of receiver.taken()) expect(shown).toMatchObject({ traceId, parentId, isOpen: false });
    expect(receiver.refused()).toEqual([]);
    expect(lines.slice(0, before).join()).not.toContain('traceId');
    const logged = lines.slice(before).filter((line) => line.includes('"level"'));
    expect(logged).not.toEqual([]);
    for (const line of logged) expect(line).toContain(`"traceId":"${traceId}"`);
  },
);
