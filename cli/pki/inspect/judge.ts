import type { X509Certificate } from 'node:crypto';
import { namesOf } from './names-of.ts';
import type { PkiFile } from './read.ts';

/** What one certificate says, and what is wrong with it. Times are ISO 8601. */
export interface CertificateReport {
  readonly path: string;
  readonly subject: string;
  readonly issuer: string;
  readonly isAuthority: boolean;
  readonly names: readonly string[];
  readonly usages: readonly string[];
  readonly notBefore: string;
  readonly notAfter: string;
  /** Whole days, negative once it has expired. */
  readonly daysLeft: number;
  /** `not-seen`: its issuer is not among the files. */
  readonly chain: 'valid' | 'self-signed' | 'not-seen' | 'broken';
  readonly key: 'matches' | 'differs' | 'absent';
}

export interface PkiReport {
  readonly certificates: readonly CertificateReport[];
  readonly problems: readonly { readonly path: string; readonly message: string }[];
}

interface JudgeOptions {
  readonly files: readonly PkiFile[];
  /** Epoch milliseconds. */
  readonly now: number;
  /** What ends sooner than this is a problem too. */
  readonly withinSeconds: number;
}

const dayMilliseconds = 86_400_000;

const usageNames: Readonly<Record<string, string>> = {
  '1.3.6.1.5.5.7.3.1': 'server',
  '1.3.6.1.5.5.7.3.2': 'client',
};

/** The report on certificates and keys at one moment. Pure. */
export function judgePki(options: JudgeOptions): PkiReport {
  const { files } = options;
  const all = files.flatMap(({ certificates }) => certificates);
  const certificates = files.flatMap((file) =>
    file.certificates.map((certificate) => reportOn(certificate, { file, all, options })),
  );
  const problems = [
    ...files.flatMap((file) => problemsOfFile(file)),
    ...certificates.flatMap((report) => problemsOf(report, options)),
  ];
  return { certificates, problems };
}

interface Seen {
  readonly file: PkiFile;
  readonly all: readonly X509Certificate[];
  readonly options: JudgeOptions;
}

function reportOn(certificate: X509Certificate, { file, all, options }: Seen): CertificateReport {
  const end = Date.parse(certificate.validTo);
  return {
    path: file.path,
    subject: nameOf(certificate.subject),
    issuer: nameOf(certificate.issuer),
    isAuthority: certificate.ca,
    names: namesOf(certificate),
    usages: (certificate.keyUsage ?? []).map((id) => usageNames[id] ?? id),
    notBefore: new Date(certificate.validFrom).toISOString(),
    notAfter: new Date(end).toISOString(),
    daysLeft: Math.floor((end - options.now) / dayMilliseconds),
    chain: chainOf(certificate, all),
    key: keyOf(certificate, { file, files: options.files }),
  };
}

/** `O=kubeadm:cluster-admins, CN=kubernetes-admin`; OpenSSL writes a line for each part. */
const nameOf = (name: string): string => name.split('\n').join(', ');

function chainOf(certificate: X509Certificate, all: readonly X509Certificate[]): CertificateReport['chain'] {
  if (certificate.subject === certificate.issuer)
    return certificate.verify(certificate.publicKey) ? 'self-signed' : 'broken';
  const issuers = all.filter(({ ca, subject }) => ca && subject === certificate.issuer);
  if (issuers.length === 0) return 'not-seen';
  const signer = issuers.find((issuer) => certificate.verify(issuer.publicKey));
  if (!signer || Date.parse(signer.validTo) < Date.parse(certificate.validTo)) return 'broken';
  return 'valid';
}

/** The key of `server.crt` is in the same file or in `server.key`. */
function keyOf(
  certificate: X509Certificate,
  { file, files }: { readonly file: PkiFile; readonly files: readonly PkiFile[] },
): CertificateReport['key'] {
  const beside = files.find(({ path }) => path === file.path.replace(/\.(?:crt|pem)$/, '.key'));
  const key = file.key ?? beside?.key;
  if (!key) return 'absent';
  return certificate.checkPrivateKey(key) ? 'matches' : 'differs';
}

function problemsOfFile({ path, unreadable, key, isOpen }: PkiFile): PkiReport['problems'] {
  if (unreadable !== undefined) return [{ path, message: unreadable }];
  if (key && isOpen) return [{ path, message: 'other users can read this private key: chmod 600' }];
  return [];
}

function problemsOf(report: CertificateReport, { now, withinSeconds }: JudgeOptions): PkiReport['problems'] {
  const { path, notAfter, notBefore } = report;
  const left = Date.parse(notAfter) - now;
  const messages = [
    left <= 0 ? `it expired on ${notAfter}` : undefined,
    left > 0 && left < withinSeconds * 1000 ? `it expires on ${notAfter}` : undefined,
    Date.parse(notBefore) > now ? `it is good from ${notBefore} on, not yet` : undefined,
    report.chain === 'broken' ? `${report.issuer} did not sign it, or ends before it` : undefined,
    report.key === 'differs' ? 'the key beside it belongs to another certificate' : undefined,
  ];
  return messages.filter((message) => message !== undefined).map((message) => ({ path, message }));
}
