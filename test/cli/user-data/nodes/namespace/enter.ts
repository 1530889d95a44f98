import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestAuthority } from '@drover/cloud-sandbox/real/test-authority.ts';
import { openBridge } from './bridge.ts';

export interface Namespaces {
  /** Of the process that keeps them. */
  readonly pid: number;
  readonly close: () => void;
}

/** Makes namespaces in which the services of the environment have their usual addresses, with the programs of an image. */
export async function enterNamespaces(
  environment: Readonly<Record<string, string>>,
  programs: Readonly<Record<string, string>>,
): Promise<Namespaces> {
  const folder = mkdtempSync(join(tmpdir(), 'drover-node-'));
  await writeImage(folder, programs);
  const bridges = await Promise.all([
    openBridge(join(folder, 'metadata.sock'), portOf(environment.AWS_EC2_METADATA_SERVICE_ENDPOINT)),
    openBridge(join(folder, 'aws.sock'), portOf(environment.AWS_ENDPOINT_URL)),
  ]);
  const [script, forwarder] = ['enter.sh', 'forwarder.ts'].map((name) => join(import.meta.dirname, name));
  const child = spawn('unshare', [
    '--mount',
    '--net',
    'bash',
    script ?? '',
    folder,
    process.execPath,
    forwarder ?? '',
  ]);
  const close = (): void => {
    child.kill('SIGKILL');
    for (const bridge of bridges) bridge.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await ready(child);
  } catch (error) {
    close();
    throw error;
  }
  return { pid: child.pid ?? 0, close };
}

const portOf = (url: string | undefined): number => Number(new URL(url ?? '').port);

async function writeImage(folder: string, programs: Readonly<Record<string, string>>): Promise<void> {
  const authority = await createTestAuthority('Amazon');
  const server = await authority.issue({ commonName: 'ssm', names: ['ssm.eu-west-1.amazonaws.com'] });
  mkdirSync(join(folder, 'bin'));
  for (const [name, body] of Object.entries(programs))
    writeFileSync(join(folder, 'bin', name), `#!/bin/bash\n${body}\n`, { mode: 0o755 });
  const files = {
    'authority.crt': authority.certificate,
    'server.crt': server.certificate,
    'server.key': server.key,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

/** Rejects where the process ends first, with what it said. */
const ready = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    let said = '';
    child.stdout?.on('data', (data: Buffer) => {
      if (String(data).includes('ready')) resolve();
    });
    child.stderr?.on('data', (data: Buffer) => (said += String(data)));
    child.on('error', reject);
    child.on('exit', (status) => reject(new Error(`no namespaces (${status}): ${said}`)));
  });
