declare module 'fastify' {
  interface FastifyContextConfig {
    /** Passes requests on, or refuses them, whatever their method: its methods are not those that the path takes. */
    isCatchAll?: boolean;
  }
}

interface RouteMethods {
  /** Parameters begin with a colon. */
  url: string;
  method: string | string[];
}

interface RouteObserver {
  addHook(
    name: 'onRoute',
    hook: (route: RouteMethods & { config?: { isCatchAll?: boolean } }) => void,
  ): unknown;
}

interface Route {
  url: string;
  pattern: RegExp;
  methods: string[];
}

const isLiteral = (url: string) => !/[:*]/.test(url);

/**
 * Remembers every route, so that an unmatched request is either an unknown path, or a known path with the wrong method. A path that a
 * route names as it is belongs to such routes alone: `/things/new` is no thing of `/things/:id`.
 * @param others routes that are served behind one of this app's that catches all
 */
export function trackAllowedMethods(app: RouteObserver, others: readonly RouteMethods[] = []) {
  const routes: Route[] = [];
  const literal = new Set<string>();
  const remember = ({ url, method }: RouteMethods) => {
    const source = url
      .split('/')
      .map((part) => (part.startsWith(':') ? '[^/]+' : part === '*' ? '.*' : RegExp.escape(part)))
      .join('/');
    if (isLiteral(url)) literal.add(url);
    routes.push({ url, pattern: new RegExp(`^${source}$`), methods: [method].flat() });
  };
  for (const route of others) remember(route);
  app.addHook('onRoute', (route) => {
    if (!route.config?.isCatchAll) remember(route);
  });
  return {
    allowedMethods(path: string): string[] {
      const ofPath = routes.filter(({ url, pattern }) =>
        literal.has(path) ? url === path : pattern.test(path),
      );
      return [...new Set(ofPath.flatMap(({ methods }) => methods))];
    },
    /** Whether a route with parameters has been found for a path that others name as it is. */
    isTaken: (path: string, routeUrl: string | undefined): boolean =>
      routeUrl !== undefined && routeUrl !== path && literal.has(path) && routeUrl.includes(':'),
  };
}
