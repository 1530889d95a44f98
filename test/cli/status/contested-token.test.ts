import { describe, expect, it } from 'vitest';
import { tokenUser } from '../../../local/world/certificates/requests.ts';
import { createDroverWorld, withWorkers } from '../../../local/world/drover-world.ts';
import { headlineOf } from '../../../ui/state/headline.ts';
import { askForCertificate } from '../../support/certificates/kubelet.ts';
import { nodeNameOf } from '../../support/observed-instance.ts';
import { operatorOf } from '../operator.ts';
import { startUi } from '../ui/start-ui.ts';

/** A Ready node, and a stranger with a stolen token that asks for its name. */
async function contestedWorld() {
  const world = createDroverWorld();
  const [instanceId = ''] = await withWorkers(world, { size: 1 });
  const node = nodeNameOf(world, instanceId);
  const subject = `O=system:nodes,CN=system:node:${node}`;
  await askForCertificate(world, { name: 'stolen', user: tokenUser, signer: 'client', subject });
  await world.timeline.pass(61);
  return { world, node };
}

describe('a bootstrap token that a stranger uses for the name of a Ready node', () => {
  it('makes drover status fail with the node, the reason and the command', async () => {
    const { world, node } = await contestedWorld();
    const { code, out, err } = await operatorOf(world)('status');
    expect({ code, err }).toEqual({ code: 1, err: 'drover: 1 problem found\n' });
    expect(out).toMatch(
      new RegExp(
        `\n${node}: someone may hold a stolen bootstrap token .*stolen.*\n    drover csr explain stolen\n`,
      ),
    );
  });

  it('is named by drover doctor, as a finding and in the list of drover status', async () => {
    const { world, node } = await contestedWorld();
    const problem = { subject: node, message: expect.stringContaining('stolen bootstrap token') };
    const { code, out } = await operatorOf(world)('doctor --json');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      findings: expect.arrayContaining([
        expect.objectContaining({ check: 'problems', verdict: 'fix', ...problem }),
      ]),
      problems: [
        { kind: 'certificate-conflict', severity: 'critical', alarm: 'certificate-conflicts', ...problem },
      ],
    });
    const text = (await operatorOf(world)('doctor')).out;
    expect(text.split('drover csr explain stolen')).toHaveLength(2);
  });

  it('makes the page of drover ui red', async () => {
    const { world, node } = await contestedWorld();
    const page = await (await startUi(world)).state();
    expect(page.problems).toMatchObject([
      { kind: 'certificate-conflict', subject: node, severity: 'critical' },
    ]);
    expect(headlineOf(page)).toMatchObject({
      tone: 'bad',
      text: `Someone may hold a stolen token for ${node.split('.')[0]}`,
    });
  });
});
