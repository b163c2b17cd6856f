// Replays the operations that crates/domains/examples/numeric_trace.rs has written with the Parma Polyhedra Library, compares the
// results and measures the time: scripts/numeric-vs-ppl compiles and runs it.
//
// Prints one line for each operation: its name, our nanoseconds, the library's, and `same`, `different`, or `larger` (a widening
// whose result is sound but not the library's; also `smaller` or `other`), or `empty` (we say that there is no integer point, and no
// single equation shows it). Both minimal forms are forced before an operation and within its time.

#include <ppl.hh>

#include <chrono>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

using namespace Parma_Polyhedra_Library;
using Octagon = Octagonal_Shape<mpz_class>;

static const int RUNS = 7;
static dimension_type variables;

static Linear_Expression sum(std::istream& in) {
    mpz_class number;
    in >> number;
    Linear_Expression e(number);
    for (dimension_type i = 0; i < variables; ++i) {
        in >> number;
        e += number * Variable(i);
    }
    return e;
}

static Constraint constraint(const std::string& line) {
    std::istringstream in(line);
    std::string order;
    in >> order;
    Linear_Expression e = sum(in);
    return order == "=" ? (e == 0) : (e <= 0);
}

static void force(const C_Polyhedron& p) {
    p.minimized_constraints();
    p.minimized_generators();
}

static void force(const Octagon& o) {
    // Emptiness needs the closure, and so does everything that an analysis asks for next.
    o.is_empty();
}

template <class D>
static D state(std::istream& in) {
    std::string line, word;
    std::getline(in, line);
    std::istringstream header(line);
    long count;
    header >> word >> count;
    if (word != "state")
        throw std::runtime_error("no state: " + line);
    if (count < 0)
        return D(variables, EMPTY);
    D result(variables, UNIVERSE);
    for (long i = 0; i < count; ++i) {
        std::getline(in, line);
        result.add_constraint(constraint(line));
    }
    force(result);
    return result;
}

// The best time of some runs on fresh copies, and the result.
template <class D, class F>
static D measure(const D& operand, F f, long& nanoseconds) {
    D result(operand);
    nanoseconds = -1;
    for (int run = 0; run < RUNS; ++run) {
        D copy(operand);
        auto start = std::chrono::steady_clock::now();
        f(copy);
        force(copy);
        long time = std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start).count();
        if (nanoseconds < 0 || time < nanoseconds)
            nanoseconds = time;
        result = copy;
    }
    return result;
}

static void widen(C_Polyhedron& newer, const C_Polyhedron& old) { newer.BHRZ03_widening_assign(old); }
static void widen(Octagon& newer, const Octagon& old) { newer.BHMZ05_widening_assign(old); }

// The same integer points: octagons are tight here, and over the rational numbers there.
static bool same(C_Polyhedron ours, C_Polyhedron theirs) { return ours == theirs; }
static bool same(const Octagon& ours, const Octagon& rational) {
    // With rational bounds: half of an odd bound would be rounded otherwise.
    Octagonal_Shape<mpq_class> mine(ours.constraints()), theirs(rational.constraints());
    for (bool changed = true; changed && !theirs.is_empty();) {
        changed = false;
        for (dimension_type i = 0; i < 2 * theirs.space_dimension() && !theirs.is_empty(); ++i) {
            Linear_Expression e;
            e += (i % 2 == 0 ? 1 : -1) * Variable(i / 2);
            mpz_class numerator, denominator, floor;
            bool attained;
            if (theirs.maximize(e, numerator, denominator, attained) && numerator % denominator != 0) {
                mpz_fdiv_q(floor.get_mpz_t(), numerator.get_mpz_t(), denominator.get_mpz_t());
                theirs.add_constraint(e <= floor);
                changed = true;
            }
        }
    }
    return ours.is_empty() ? theirs.is_empty() : mine == theirs;
}

// An equation without an integer solution: a polyhedron is empty here, and not there. (The library's own search for an integer
// point does not come to an end where there is no bound.)
static bool without_integers(const C_Polyhedron& p) {
    for (const Constraint& c : p.minimized_constraints()) {
        mpz_class common = 0;
        for (dimension_type i = 0; i < c.space_dimension(); ++i)
            common = gcd(common, c.coefficient(Variable(i)));
        if (c.is_equality() && common != 0 && c.inhomogeneous_term() % common != 0)
            return true;
    }
    return false;
}
static bool without_integers(const Octagon&) { return false; }

template <class D>
static void run(std::istream& in) {
    std::string line, word, name;
    while (std::getline(in, line)) {
        std::istringstream header(line);
        long ours, theirs = 0;
        header >> word >> name >> ours;
        D a = state<D>(in);
        D result(variables);
        if (name == "leq") {
            D b = state<D>(in);
            std::getline(in, line);
            bool answer = false;
            measure(b, [&](D& copy) { answer = copy.contains(a); }, theirs);
            bool agree = (line == "answer 1") == answer;
            std::cout << name << ' ' << ours << ' ' << theirs << ' ' << (agree ? "same" : "different") << '\n';
            continue;
        }
        if (name == "meet" || name == "join" || name == "widen") {
            D b = state<D>(in);
            if (name == "meet")
                result = measure(a, [&](D& copy) { copy.intersection_assign(b); }, theirs);
            else if (name == "join")
                result = measure(a, [&](D& copy) { copy.upper_bound_assign(b); }, theirs);
            else
                result = measure(b, [&](D& copy) { widen(copy, a); }, theirs);
        } else {
            std::getline(in, line);
            if (name == "assume") {
                Constraint c = constraint(line);
                result = measure(a, [&](D& copy) { copy.add_constraint(c); }, theirs);
            } else {
                std::istringstream argument(line);
                dimension_type x;
                argument >> word >> x;
                Linear_Expression e = sum(argument);
                if (name == "assign")
                    result = measure(a, [&](D& copy) { copy.affine_image(Variable(x), e); }, theirs);
                else
                    result = measure(a, [&](D& copy) { copy.unconstrain(Variable(x)); }, theirs);
            }
        }
        D mine = state<D>(in);
        std::string verdict = "different";
        if (same(mine, result) || (mine.is_empty() && without_integers(result)))
            verdict = "same";
        else if (mine.is_empty())
            verdict = "empty";
        else if (name == "widen" && mine.contains(a))
            verdict = mine.contains(result) ? "larger" : result.contains(mine) ? "smaller" : "other";
        std::cout << name << ' ' << ours << ' ' << theirs << ' ' << verdict << '\n';
    }
}

int main() {
    std::string line, domain;
    std::getline(std::cin, line);
    std::istringstream header(line);
    header >> domain >> variables;
    if (domain == "octagon")
        run<Octagon>(std::cin);
    else
        run<C_Polyhedron>(std::cin);
}
