export interface DaemonAddress {
  readonly address: string;
  readonly port: number;
}

const byte = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)';
const pattern = new RegExp(`^(${byte}(?:\\.${byte}){3}):(\\d{1,5})$`);

/**
 * Where the X-Ray daemon listens: `169.254.79.129:2000`, as Lambda writes it. Undefined for anything but an IPv4 address with a port, because
 * the look-up of a name could hang. Pure.
 */
export function readDaemonAddress(text: string | undefined): DaemonAddress | undefined {
  const [, address = '', digits] = pattern.exec(text ?? '') ?? [];
  const port = Number(digits);
  return port > 0 && port < 65_536 ? { address, port } : undefined;
}
