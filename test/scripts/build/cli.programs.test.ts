import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { bundleCli } from '../../../scripts/build/cli.ts';
import { pageFolder, programFile, startFile } from '../../../scripts/build/cli-files.ts';
import { pageParts } from '../../../ui/server/page-parts.ts';

const run = promisify(execFile);
const { files, packageFolders } = await bundleCli();
const code = files.get(programFile) ?? Buffer.of();
const text = Buffer.from(code).toString();

let folder: string;
let file: string;
/** What is compiled is kept in the folder of the test, whatever the developer has set. */
let ownEnvironment: NodeJS.ProcessEnv;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cli-'));
  const { NODE_COMPILE_CACHE: _cache, NODE_DISABLE_COMPILE_CACHE: _off, ...environment } = process.env;
  ownEnvironment = { ...environment, XDG_CACHE_HOME: join(folder, 'cache') };
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

  it('has at most 2,760 KB, all of which Node reads at every start: the bench cli-start measures its time', () => {
    expect(code.length).toBeLessThanOrEqual(2_760_000);
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
    const ui = () =>
      spawn(process.execPath, [file, 'ui', '--cluster', 'prod', '--region', 'eu-west-1'], {
        env: ownEnvironment,
      });
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
    const version = await run(process.execPath, ['--require', probe, file, '--version'], {
      env: ownEnvironment,
    });
    expect(version.stdout).toBe(`${packageJson.version}\n`);
    const help = await run(process.execPath, ['--require', probe, file, '--help'], { env: ownEnvironment });
    for (const { stderr } of [version, help])
      for (const unwanted of ['http', 'https', 'tls', 'crypto', 'zlib'])
        expect(JSON.parse(stderr)).not.toContain(`NativeModule ${unwanted}`);
  });

  describe('compiled', () => {
    const filesIn = async (path: string) =>
      (await readdir(path, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
    const startIn = (home: string) =>
      run(process.execPath, [file, '--version'], {
        env: { ...ownEnvironment, XDG_CACHE_HOME: join(home, 'cache') },
      });
    const answer = { stdout: `${packageJson.version}\n`, stderr: '' };
    let home: string;
    beforeEach(async () => {
      home = await mkdtemp(join(folder, 'home-'));
    });

    it('is kept in a folder that only its user can open', async () => {
      expect(await startIn(home)).toEqual(answer);
      expect((await stat(join(home, 'cache', 'drover', 'compiled'))).mode & 0o777).toBe(0o700);
      expect(await filesIn(home)).toHaveLength(1);
      expect(await startIn(home)).toEqual(answer);
      expect(await filesIn(home)).toHaveLength(1);
    });

    it.each(['cache/drover/compiled', 'cache/drover', 'cache', '.'])(
      'is not kept if other users can write to %s',
      async (name) => {
        await mkdir(join(home, name), { recursive: true });
        await chmod(join(home, name), 0o777);
        expect(await startIn(home)).toEqual(answer);
        expect(await filesIn(home)).toEqual([]);
      },
    );

    it.skipIf(process.getuid?.() !== 0)('is not kept in the home of another user', async () => {
      await chown(home, 12345, 12345);
      expect(await startIn(home)).toEqual(answer);
      expect(await readdir(home)).toEqual([]);
    });

    it('is not kept if no folder can be made, and the program starts', async () => {
      await writeFile(join(home, 'cache'), 'a file where the folder would be');
      expect(await startIn(home)).toEqual(answer);
    });

    it('is found by a link to the file that starts it', async () => {
      await symlink(file, join(home, 'drover'));
      const started = await run(
        process.execPath,
        ['--preserve-symlinks-main', join(home, 'drover'), '--version'],
        { env: ownEnvironment },
      );
      expect(started).toEqual(answer);
    });
  });
});
