import { createHash } from 'node:crypto';
import { cpSync, globSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { clients, kubernetes } from '@drover/cloud-sandbox/real/programs.ts';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { releaseOfACopy } from '../../support/release-of-a-copy.ts';
import { type Route, scriptOf } from './page.ts';
import { runInShell } from './shell.ts';
import { openQuickStartWorld } from './world.ts';

const missing = clients.missing ?? kubernetes.missing;
const root = mkdtempSync(join(tmpdir(), 'rollback-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A later release: another zip, another template, and a rule that the earlier manifests do not have. */
function laterThan(release: string): string {
  const later = join(root, 'later', basename(release));
  cpSync(release, later, { recursive: true });
  const [zip = ''] = globSync('functions/intake-*.zip', { cwd: later });
  const newZip = 'functions/intake-of-a-later-release.zip';
  renameSync(join(later, zip), join(later, newZip));
  const [template = ''] = globSync('drover-*.template.json', { cwd: later });
  edit(join(later, template), (text) => text.replaceAll(basename(zip), basename(newZip)));
  edit(join(later, 'kubernetes/rbac.yaml'), (text) =>
    text.replace(/(kind: ClusterRole\nmetadata:\n {2}name: drover\nrules:\n)/, `$1${laterRule}`),
  );
  edit(join(later, 'SHA256SUMS'), (sums) =>
    sums.replace(/^\w+( [ *](?:\.\/)?)(\S+)$/gm, (_, between: string, name: string) => {
      const path = name === zip ? newZip : name;
      return `${createHash('sha256')
        .update(readFileSync(join(later, path)))
        .digest('hex')}${between}${path}`;
    }),
  );
  return later;
}

const laterRule = "  - apiGroups: ['']\n    resources: [nodes/of-a-later-release]\n    verbs: [get]\n";

const edit = (file: string, change: (text: string) => string): void =>
  writeFileSync(file, change(readFileSync(file, 'utf8')));

test.skipIf(missing !== undefined)(
  'a release that was upgraded is rolled back by the commands of docs/deployment.md',
  { timeout: 500_000 },
  async () => {
    const earlier = releaseOfACopy(join(root, 'sources'));
    const later = laterThan(earlier);
    const world = await openQuickStartWorld('eks', mkdtempSync(join(root, 'machine-')));
    onTestFinished(world.close);
    const { values, services, shell } = world;
    const stackName = `drover-${values.clusterName}`;
    const run = async (script: string): Promise<string> => {
      const ended = await runInShell(script, { ...shell, release: earlier });
      expect(ended.code, `${ended.stdout}${ended.stderr}`).toBe(0);
      return ended.stdout;
    };
    const follow = (route: Route, before = '') => run(`${before}\n${scriptOf(route, values)}`);
    const zipsOf = () => JSON.stringify(services.stacks.get(stackName)?.Resources);
    const rulesOf = async (): Promise<unknown> =>
      JSON.parse(await run('kubectl get clusterrole drover --output json')).rules;

    await follow([['quick-start/eks', '# Quick start', '1.', '2.', '3.']]);
    await run(`kubectl apply -f ${earlier}/kubernetes/rbac.yaml`);
    const [zipsBefore, rulesBefore] = [zipsOf(), await rulesOf()];
    await follow([['deployment', 'Upgrading a release']], `cd ${later}`);
    expect(zipsOf()).toContain('intake-of-a-later-release');
    expect(JSON.stringify(await rulesOf())).toContain('nodes/of-a-later-release');
    expect(JSON.stringify(rulesBefore)).not.toContain('nodes/of-a-later-release');

    await follow([['deployment', 'Rolling back']], `cd ${earlier}`);
    expect(zipsOf()).toBe(zipsBefore);
    expect(services.stacks.get(stackName)?.status).toBe('UPDATE_COMPLETE');
    expect(await rulesOf()).toEqual(rulesBefore);
    expect(world.problems).toEqual([]);
  },
);
