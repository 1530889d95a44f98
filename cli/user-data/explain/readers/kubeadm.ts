import { fact, noSettings, nothing, type Reading } from '../reading.ts';
import { flagsOf } from './flags.ts';

const switches = [
  '--control-plane',
  '--discovery-token-unsafe-skip-ca-verification',
  '--dry-run',
  '--skip-certificate-key-print',
  '--skip-token-print',
  '--upload-certs',
];

const shown = [
  '--config',
  '--discovery-file',
  '--node-name',
  '--cri-socket',
  '--apiserver-advertise-address',
  '--control-plane-endpoint',
];

/** `kubeadm` with its words. Pure. */
export function readKubeadm(words: readonly string[], at: string): Reading {
  const flags = flagsOf(words, switches);
  const [step = '', endpoint] = flags.operands;
  if (step !== 'join' && step !== 'init')
    return {
      ...nothing,
      facts: [
        fact(
          `${at}: kubeadm ${/^[a-z][a-z-]{1,40}$/.test(step) ? step : ''}`.trimEnd(),
          '',
          'a step of kubeadm',
        ),
      ],
    };
  const isControlPlane = step === 'init' || words.includes('--control-plane');
  const role = isControlPlane ? 'a control-plane node' : 'a node';
  const unsafe = words.includes('--discovery-token-unsafe-skip-ca-verification');
  return {
    ...nothing,
    facts: [
      fact(
        `${at}: kubeadm ${step}`,
        endpoint,
        step === 'init' ? 'founds a cluster' : `becomes ${role} of the cluster at this address`,
      ),
      ...shown.flatMap((name) =>
        flags.named.has(name) ? [fact(name, flags.named.get(name), 'a flag of kubeadm')] : [],
      ),
    ],
    joins: [{ by: 'kubeadm', ...noSettings, ...(endpoint !== undefined && { endpoint }) }],
    credentials: [
      ...literal(flags.named.get('--token'), `${at} holds a bootstrap token`),
      ...literal(flags.named.get('--tls-bootstrap-token'), `${at} holds a bootstrap token`),
      ...literal(
        flags.named.get('--certificate-key'),
        `${at} holds the key of the control plane's certificates`,
      ),
    ],
    faults: unsafe ? [`${at} trusts any API server: give --discovery-token-ca-cert-hash`] : [],
  };
}

const literal = (value: string | undefined, where: string): readonly string[] =>
  value === undefined || /^[$<{`]/.test(value) ? [] : [where];
