import { formatOf } from '../../adopt/user-data/format.ts';
import { fact, noSettings, nothing, type Reading } from './reading.ts';
import { secretsIn } from './redact.ts';

interface WrittenFile {
  readonly path: string;
  readonly mode: string;
  /** Undefined if it is somewhere else, or compressed. */
  readonly content: string | undefined;
  /** What writes it, such as `write_files`. */
  readonly from: string;
  /** The reader of scripts, which write files themselves. */
  readonly readScript: (script: string) => Reading;
}

/** A file that a user data writes: its path, its mode, and what it holds in words. Scripts in it are read too. Pure. */
export function readFileContent({ path, mode, content, from, readScript }: WrittenFile): Reading {
  if (content !== undefined && isDrovers(content)) return readDroversScript(`${from} ${path}`, content);
  if (content === undefined)
    return { ...nothing, facts: [fact(`${from} ${path}`, mode, 'writes this file')] };
  const kinds = isKubeconfigWithCredential(content) ? ['a kubeconfig with a credential'] : secretsIn(content);
  const format = formatOf(content);
  const script =
    format.kind === 'part' && format.contentType === 'text/x-shellscript' ? readScript(content) : nothing;
  const isOpen = /[4-7]$/.test(mode) && kinds.length > 0;
  return {
    facts: [
      fact(
        `${from} ${path}`,
        [mode, `${Buffer.byteLength(content)} bytes`].filter(Boolean).join(', '),
        meaningOf(path, content),
      ),
      ...script.facts,
    ],
    joins: script.joins,
    unread: script.unread,
    credentials: kinds.map((kind) => `${path} holds ${kind}`),
    faults: [
      ...script.faults,
      ...(isOpen ? [`every process of the machine may read ${path}, which holds ${kinds[0]}`] : []),
    ],
  };
}

export const isDrovers = (script: string): boolean => /^# Made by drover user-data\b/m.test(script);

/** What `drover user-data` has made: its settings say enough. */
export function readDroversScript(what: string, script: string): Reading {
  const [, parameter] = /^readonly credential_parameter='?([^'\n]*)'?$/m.exec(script) ?? [];
  const joins = parameter !== undefined;
  return {
    ...nothing,
    facts: [
      fact(
        what,
        parameter,
        joins
          ? 'Drover’s: reads the credential of this parameter when the machine boots'
          : 'Drover’s: waits while the machine is in a warm pool',
      ),
    ],
    joins: joins ? [{ by: 'Drover', ...noSettings }] : [],
  };
}

const isKubeconfigWithCredential = (content: string): boolean =>
  /^kind: *Config\b/m.test(content) && /^[ \t]*(?:- )?(?:token|client-key-data|password):/m.test(content);

const fileKinds: readonly (readonly [RegExp, string])[] = [
  [/^\/etc\/systemd\/system\/.*\.d\//, 'a drop-in of a unit of systemd'],
  [/^\/etc\/systemd\/system\//, 'a unit of systemd'],
  [/^\/etc\/origin\/|openshift_bootstrap/, 'the configuration of an OpenShift 3.11 node'],
  [/docker\/config\.json$/, 'the credential of a registry'],
  [/kubeconfig|bootstrap-kubelet\.conf$|kubelet\.conf$/, 'a kubeconfig'],
  [/^\/etc\/kubernetes\/manifests\//, 'a static pod'],
  [/^\/etc\/kubernetes\//, 'a file of Kubernetes'],
  [/^\/etc\/containerd\//, 'the configuration of containerd'],
  [/^\/etc\/sysctl\.d\//, 'kernel parameters'],
];

function meaningOf(path: string, content: string): string {
  const [, known] = fileKinds.find(([pattern]) => pattern.test(path)) ?? [];
  if (known !== undefined) return `writes ${known}`;
  return content.startsWith('#!') ? 'writes a script' : 'writes this file';
}
