import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { bundleCli, pageFolder, programFile, startFile } from '../../../scripts/build/cli.ts';
import { pageParts } from '../../../ui/server/page-parts.ts';

const run = promisify(execFile);
const { files, packageFolders } = await bundleCli();
const code = files.get(programFile) ?? Buffer.of();
const text = Buffer.from(code).toString();

let folder: string;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cli-'));
  file = join(folder, startFile);
  for (const [name, content] of files) await writeFile(join(folder, name), content);
});
afterAll(() => rm(folder, { recursive: true }));

describe('the bundled CLI', () => {
  it('requires nothing but Node’s own modules', () => {
    const required = [...text.matchAll(/(?<![\w[])require\("([^"]+)"\)/g)].map(([, name = '']) => name);
    expect(required).toContain('node:https');
    expect(required.filter((name) => !isBuiltin(name))).toEqual([]);
  });

  it('has at most 2,720 KB, all of which Node reads at every start: the bench cli-start measures its time', () => {
    expect(code.length).toBeLessThanOrEqual(2_720_000);
  });

  it('holds the script that starts a member of etcd', () => {
    expect(text).toContain('# -- settings --');
  });

  it('names the packages whose code is in it', () => {
    expect(packageFolders).toContain('node_modules/commander');
    expect(packageFolders).toContain('node_modules/@aws-sdk/client-ec2');
    expect(packageFolders.filter((path) => /vitest|esbuild|typescript/.test(path))).toEqual([]);
  });

  it('serves the page of drover ui from the files beside it, and ends at Ctrl-C', async () => {
    const ui = () => spawn(process.execPath, [file, 'ui', '--cluster', 'prod', '--region', 'eu-west-1']);
    const [message = ''] = await once(ui().stderr, 'data');
    expect(String(message)).toMatch(
      /^drover: the files of the page are missing beside .*program\.cjs: install/,
    );
    await mkdir(join(folder, pageFolder));
    for (const [name, content] of Object.entries(pageParts()))
      await writeFile(join(folder, pageFolder, name), content);
    const running = ui();
    const [printed = ''] = await once(running.stdout, 'data');
    const url = String(printed).trim();
    expect(await (await fetch(url)).text()).toContain('<title>Drover</title>');
    expect((await fetch(`${url}main.js`)).headers.get('content-type')).toContain('text/javascript');
    const ended = once(running, 'exit');
    running.kill('SIGINT');
    expect(await ended).toEqual([130, null]);
  });

  it('answers --version and --help without HTTP, TLS and the AWS SDK', async () => {
    const probe = join(folder, 'probe.cjs');
    await writeFile(
      probe,
      "process.on('exit', () => console.error(JSON.stringify(process.moduleLoadList)));",
    );
    const version = await run(process.execPath, ['--require', probe, file, '--version']);
    expect(version.stdout).toBe(`${packageJson.version}\n`);
    const help = await run(process.execPath, ['--require', probe, file, '--help']);
    for (const { stderr } of [version, help])
      for (const unwanted of ['http', 'https', 'tls', 'crypto', 'zlib'])
        expect(JSON.parse(stderr)).not.toContain(`NativeModule ${unwanted}`);
  });

  it('is compiled once, in a folder that only its user can write', async () => {
    const cacheHome = join(folder, 'cache');
    const compiled = join(cacheHome, 'drover', 'compiled');
    const version = () =>
      run(process.execPath, [file, '--version'], { env: { ...process.env, XDG_CACHE_HOME: cacheHome } });
    const answer = { stdout: `${packageJson.version}\n`, stderr: '' };
    const kept = async () =>
      (await readdir(compiled, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());

    expect(await version()).toEqual(answer);
    expect((await stat(compiled)).mode & 0o777).toBe(0o700);
    expect(await kept()).toHaveLength(1);

    await rm(compiled, { recursive: true });
    await mkdir(compiled);
    await chmod(compiled, 0o777);
    expect(await version()).toEqual(answer);
    expect(await kept()).toEqual([]);

    await rm(cacheHome, { recursive: true });
    await writeFile(cacheHome, 'a file where the folder would be');
    expect(await version()).toEqual(answer);
  });
});
