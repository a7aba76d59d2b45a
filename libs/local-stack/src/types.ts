/** The ports of the engines on 127.0.0.1; `kafkaController` and, where Kafka has users, `kafkaLocal` are the broker's own. */
export interface EnginePorts {
  postgres: number;
  redis: number;
  kafka: number;
  kafkaController: number;
  kafkaLocal?: number;
}

export interface KafkaUsers {
  /** User → password. The user `admin` may do everything, the others what they are given the right to. */
  passwords: Readonly<Record<string, string>>;
  /** A PEM file with the broker's key and certificate: with it clients' connections are encrypted. */
  certificateFile?: string;
}

interface RedisUsers {
  /** The content of Redis's ACL file. */
  aclFile: string;
  /** Of its user `admin`. */
  administratorPassword: string;
}

export interface StartEnginesOptions {
  /** Holds every engine's data and log; made when it isn't there. */
  directory: string;
  ports: EnginePorts;
  /** DATABASE_URL, REDIS_URL and KAFKA_BROKERS name engines that run already; TEST_ENGINES=containers forces containers. */
  env?: NodeJS.ProcessEnv;
  /** Where downloads are kept, shared by all directories; `.local` of the working directory by default. */
  cacheDirectory?: string;
  /** The superuser's, for a cluster that is made now; without it a well-known one, for tests' own engines. */
  postgresPassword?: string;
  /** Who Kafka lets in; without it everybody, for tests' own engines. Data that knows no users yet gets them by `setKafkaUser`. */
  kafkaUsers?: KafkaUsers;
  /** Who Redis lets in; without it everybody, for tests' own engines. */
  redisUsers?: RedisUsers;
  /** false trades safety of the data after a power cut for speed: for tests. */
  durable?: boolean;
  /** Hears one line for each step that may take a while. */
  onProgress?: (line: string) => void;
  /** Called when an engine exits unexpectedly and when it is back: one line, and the end of its log when the fault is new. */
  onNotice?: (text: string) => void;
  /** Starts local processes again that end without being asked to: same port, same data, after a pause that grows. */
  restart?: boolean;
  /** Aborted: gives up the start, and what has started is stopped again; later: no engine is started again. */
  signal?: AbortSignal;
}

export interface Engines {
  /** The superuser's URL of the database `postgres`. */
  databaseUrl: string;
  /** The administrator's where `redisUsers` were given. */
  redisUrl: string;
  /** `host:port`, several of them separated by commas. */
  kafkaBrokers: string;
  /** Makes a user of Kafka or changes its password; null for a Kafka that isn't ours, or lets everybody in. */
  setKafkaUser: ((user: string, password: string) => Promise<void>) | null;
  /**
   * Stops what was started here, the last one first, and none is started again from then on; never throws, never takes longer
   * than half a minute.
   */
  stop: () => Promise<void>;
}

/** One engine that answers at `address`, here or elsewhere. */
export interface Engine {
  address: string;
  stop: () => Promise<void>;
  setUser?: (user: string, password: string) => Promise<void>;
}

/** What starting any engine as a local process takes. */
export interface LocalStart {
  directory: string;
  cacheDirectory: string;
  ports: EnginePorts;
  postgresPassword: string;
  kafkaUsers: KafkaUsers | undefined;
  redisUsers: RedisUsers | undefined;
  durable: boolean;
  env: NodeJS.ProcessEnv;
  restart: boolean;
  /** Aborted: starts under way are given up, and nothing is started again. */
  signal: AbortSignal;
  progress: (line: string) => void;
  notice: (text: string) => void;
  /** Records the process under its name, replacing an earlier one. The next start ends it if this process is killed. */
  record: (process: { name: string; pid: number; stopSignal: NodeJS.Signals }) => void;
}
