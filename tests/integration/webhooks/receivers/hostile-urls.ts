/** Names that lead astray, as the tests' own name server answers them. */
export const HOSTILE_NAMES: Record<string, string[]> = {
  'loopback.example.com': ['127.0.0.1'],
  '127.0.0.1.nip.example.com': ['127.0.0.1'],
  'loopback6.example.com': ['::1'],
  'private.example.com': ['10.0.0.5'],
  'metadata.example.com': ['169.254.169.254'],
  'any.example.com': ['0.0.0.0'],
  'mapped.example.com': ['::ffff:127.0.0.1'],
  'translated.example.com': ['64:ff9b::7f00:1'],
  'wire-server.example.com': ['168.63.129.16'],
  'translated-wire-server.example.com': ['64:ff9b::a83f:8110'],
  'local6.example.com': ['fd00::2'],
  'public-and-private.example.com': ['93.184.216.34', '127.0.0.1'],
  'public-and-private6.example.com': ['93.184.216.34', '::1'],
};

const HOSTS = {
  'loopback, in all its spellings': [
    ...['127.0.0.1', '127.1', '127.0.1', '127.8.9.10', '2130706433', '0x7f000001', '017700000001'],
    ...['0177.0.0.1', '0x7f.1', '0x7F.0.0.0x1', '127.0.0.1.', '①②⑦.0.0.1', '127。0。0。1', '%31%32%37.0.0.1'],
    ...['[::1]', '[0:0:0:0:0:0:0:1]'],
  ],
  'nobody in particular': ['0.0.0.0', '0', '0.1.2.3', '[::]'],
  'private networks': [
    ...['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.254', '192.168.1.1', '192.168.0.1'],
    ...['3232235777', '0xa000001', '100.64.0.1', '100.127.255.254', '[fd00::2]', '[fc00::1]', '[fec0::1]'],
  ],
  'the link and its metadata': [
    ...['169.254.169.254', '169.254.170.2', '2852039166', '0xA9.0xFE.0xA9.0xFE', '[fe80::1]', '[febf::1]'],
    ...['[fe80::1%25eth0]', '[fe80::1%eth0]', '[fd00:ec2::254]'],
  ],
  'what answers only within a cloud': [
    ...['168.63.129.16', '2822734096', '0xA83F8110', '[64:ff9b::a83f:8110]', '[::ffff:a83f:8110]'],
    ...[
      '[2002:a83f:8110::1]',
      '161.26.0.10',
      '166.9.0.1',
      '199.36.153.5',
      '199.36.153.9',
      '[2600:2d00:2:1000::1]',
    ],
    ...['100.100.100.200', '192.0.0.192'],
  ],
  'groups and everybody': ['224.0.0.1', '239.255.255.255', '255.255.255.255', '4294967295', '[ff02::1]'],
  'what nobody has been given': [
    ...['240.0.0.1', '192.0.0.1', '198.18.0.1', '198.19.255.255', '192.0.2.2', '198.51.100.7'],
    ...['203.0.113.9', '192.88.99.1', '[2001:db8::1]', '[3fff::1]', '[100::1]', '[4000::1]', '[2001:2::1]'],
  ],
  'IPv4 within IPv6': [
    ...['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::ffff:a9fe:a9fe]', '[::127.0.0.1]', '[::7f00:1]'],
    ...['[::ffff:0:127.0.0.1]', '[2002:7f00:1::]', '[2001:0:4136:e378:8000:63bf:80ff:fffe]'],
    ...['[64:ff9b::7f00:1]', '[64:ff9b::a00:1]', '[64:ff9b:1::7f00:1]', '[2600::5efe:7f00:1]'],
    ...['[2600::200:5efe:a00:1]'],
  ],
  'local names': [
    ...['localhost', 'LOCALHOST', 'localhost.', 'ⓛocalhost', '%6c%6f%63alhost', 'api.localhost', 'redis'],
    ...['kafka', 'printer.local', 'metadata.google.internal', 'router.home.arpa', 'a..example.com'],
  ],
  'names with hostile addresses': Object.keys(HOSTILE_NAMES),
};

/** Hostile at this port, which a receiver may have; and ports that it may not have, at a public address. */
export const hostileUrls = (port: number): string[] => [
  ...Object.values(HOSTS).flatMap((hosts) => hosts.map((host) => `http://${host}:${port}/hook`)),
  `http://127.0.0.1:${port}\\@example.com/`,
  `http:/127.0.0.1:${port}/`,
  `gopher://127.0.0.1:${port}/_SET`,
  ...[1, 22, 25, 81, 1_023].map((closed) => `http://93.184.216.34:${closed}/`),
];
