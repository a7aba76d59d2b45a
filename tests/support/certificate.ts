import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const EC = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

export interface TestCertificate {
  certFile: string;
  keyFile: string;
  /** The same in PEM. */
  cert: string;
  key: string;
  remove(): Promise<void>;
}

/** A new certificate of 127.0.0.1, or of another subject. It has signed itself: who trusts it has it as the authority. */
export async function makeCertificate(subject = 'IP:127.0.0.1'): Promise<TestCertificate> {
  const directory = await mkdtemp(join(tmpdir(), 'certificate-'));
  const [certFile, keyFile] = [join(directory, 'server.crt'), join(directory, 'server.key')];
  const files = ['-keyout', keyFile, '-out', certFile];
  const contents = ['-days', '2', '-subj', '/CN=test', '-addext', `subjectAltName=${subject}`];
  await promisify(execFile)('openssl', ['req', '-x509', ...EC, ...files, ...contents]);
  return {
    certFile,
    keyFile,
    cert: await readFile(certFile, 'utf8'),
    key: await readFile(keyFile, 'utf8'),
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}
